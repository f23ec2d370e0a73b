import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../cli/test/run-framegate.ts'
import { claimEmbedded } from '../src/db/store-under-test.ts'
import { onHoldMark } from '../src/db/held-tasks.ts'
import { apiDocument } from './documented-responses.ts'
import { openHttpService, type HttpService } from './http-service.ts'

const consolePage = new URL('../../../docs/console.md', import.meta.url)
const httpMethods = ['post', 'put', 'patch', 'delete'] as const

interface Operation {
  id: string
  method: string
  /** Matches the paths of its requests. */
  path: RegExp
}

/** The operations of the operator's API with a method other than GET. */
const operations: readonly Operation[] = Object.entries(apiDocument.paths)
  .filter(([path]) => path.startsWith('/admin/v1/'))
  .flatMap(([path, item]) =>
    httpMethods.flatMap((method): Operation[] => {
      const id = item[method]?.operationId
      const pattern = new RegExp(`^/api${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}(?:\\?|$)`)
      return id === undefined ? [] : [{ id, method: method.toUpperCase(), path: pattern }]
    }),
  )

interface Action {
  command: string
  args: () => readonly string[]
  /** Actions in the audit log, oldest first. Empty for an operation that changes nothing. */
  audited: readonly string[]
  input?: string
  /** Default: 0. */
  exitCode?: number
}

let service: HttpService
/**
 * Key that reads the audit log. The commands use another key, because the request rate of a key is
 * limited.
 */
let auditorKey: string
/** Ids of the objects that the commands change, by the names that the actions use. */
const ids = new Map<string, string>()
const idOf = (name: string): string => ids.get(name) ?? ''

const model = 'vidK O3 Video Generation'
const definition = { id: 'House Images', object: 'image', parameters: { prompt: {} }, price: { per_image: 0.05 } }

/**
 * The command of each operation. The order matters: later commands remove what earlier ones have
 * created.
 */
const actions: Readonly<Record<string, Action>> = {
  createBrand: {
    command: 'brands create',
    args: () => ['Northern Lights', '--host', 'lights.example.com'],
    audited: ['brand.create'],
  },
  changeBrand: { command: 'brands update', args: () => [idOf('brand'), '--color', '#1a7f64'], audited: ['brand.change'] },
  setBrandModel: {
    command: 'models set',
    args: () => ['imgA-5.0', '--brand', idOf('brand'), '--visibility', 'hidden'],
    audited: ['brand.change'],
  },
  createAccount: { command: 'accounts create', args: () => ['Studio North'], audited: ['account.create'] },
  changeAccount: { command: 'accounts suspend', args: () => [idOf('account')], audited: ['account.change'] },
  createKey: { command: 'keys create', args: () => ['--account', idOf('account'), '--name', 'website'], audited: ['key.create'] },
  grantCredits: { command: 'credits grant', args: () => ['5', '--account', idOf('account')], audited: ['credits.grant'] },
  adjustCredits: {
    command: 'credits adjust',
    args: () => ['--account', idOf('account'), '--note', 'too many', '--', '-1'],
    audited: ['credits.adjust'],
  },
  changeKey: { command: 'keys update', args: () => [idOf('key'), '--requests-per-second', '20'], audited: ['key.change'] },
  rotateKey: { command: 'keys rotate', args: () => [idOf('key')], audited: ['key.rotate'] },
  revokeKey: { command: 'keys revoke', args: () => [idOf('key')], audited: ['key.revoke'] },
  simulatePrice: {
    command: 'prices simulate',
    args: () => ['imgA-5.0', '--unit', 'task', '--credits', '0.1'],
    audited: [],
  },
  setPrice: {
    command: 'prices set',
    args: () => ['imgA-5.0', '--unit', 'task', '--credits', '0.1'],
    audited: ['price.set'],
  },
  setUpstream: {
    command: 'upstreams set',
    args: () => ['fal-main', '--driver', 'fal', '--upstream-url', 'http://127.0.0.1:9', '--api-key-from-stdin'],
    input: 'secret-of-fal',
    audited: ['upstream.set'],
  },
  importModel: {
    command: 'models import',
    args: () => ['pack:fal-veo-3.1-fast', '--price', 'per_second=0.1', '--yes'],
    audited: ['model.import', 'route.set', 'route.set', 'route.set'],
    // The model is imported, and then the test of its routes fails.
    exitCode: 1,
  },
  previewModelDefinition: { command: 'models preview', args: () => ['-'], input: JSON.stringify(definition), audited: [] },
  createModelDefinition: {
    command: 'models create',
    args: () => ['-'],
    input: JSON.stringify(definition),
    audited: ['model.create'],
  },
  changeModelDefinition: {
    command: 'models update',
    args: () => [definition.id, '--set', 'price={"per_image": 0.06}'],
    audited: ['model.change'],
  },
  deleteModelDefinition: { command: 'models delete', args: () => [definition.id], audited: ['model.delete'] },
  setRoute: {
    command: 'routes set',
    args: () => ['kling', '--model', model, '--upstream', 'embedded'],
    audited: ['route.set'],
  },
  testRoutes: { command: 'routes test', args: () => [model], audited: ['route.test'] },
  explainRoutes: { command: 'routes explain', args: () => [model], audited: [] },
  removeRoute: { command: 'routes remove', args: () => ['kling'], audited: ['route.remove'] },
  removeUpstream: { command: 'upstreams remove', args: () => ['unused'], audited: ['upstream.remove'] },
  resolveAttempt: {
    command: 'attempts resolve',
    args: () => [idOf('attempt'), '--as', 'accepted_loss'],
    audited: ['attempt.resolve'],
  },
  releaseHeldTask: { command: 'tasks release', args: () => [idOf('released')], audited: ['held_task.release'] },
  failHeldTask: { command: 'tasks fail', args: () => [idOf('failed')], audited: ['held_task.fail'] },
  enableWebhook: { command: 'webhooks suspend', args: () => [idOf('webhook')], audited: ['webhook.change'] },
  deleteTaskOfAnyAccount: {
    command: 'tasks delete',
    args: () => [idOf('failed'), '--any-account'],
    audited: ['task.delete'],
  },
  deleteTasksOfAccount: {
    command: 'tasks delete',
    args: () => ['--account', idOf('account'), '--all'],
    audited: ['account.delete_tasks'],
  },
  eraseAccount: { command: 'accounts erase', args: () => [idOf('closed')], audited: ['account.erase'] },
  makeBrandDefault: { command: 'brands default', args: () => [idOf('brand')], audited: ['brand.change'] },
}

/** Operations that the service has received, in the order of their requests. */
const receivedOperations: string[] = []

beforeAll(async () => {
  service = await openHttpService()
  service.app.server.on('request', ({ method, url = '' }) => {
    const operation = operations.find((candidate) => candidate.method === method && candidate.path.test(url))
    if (operation !== undefined) receivedOperations.push(operation.id)
  })
  const send = async (path: string, body: object) => (await service.request('POST', path, { body })).json
  const { accountId, keyId } = await service.newAccount(10)
  auditorKey = (await service.newAccount(0)).key
  const closed = await service.newAccount(0)
  ids.set('account', accountId).set('key', keyId).set('closed', closed.accountId)
  await service.request('PATCH', `/admin/v1/accounts/${closed.accountId}`, { body: { status: 'closed' } })
  ids.set('brand', (await send('/admin/v1/brands', { name: 'Southern Cross' })).id)
  ids.set('webhook', (await send('/v2/webhooks', { url: 'https://hooks.example.com/' })).id)
  await service.request('PUT', '/admin/v1/upstreams/unused', { body: { driver: 'replicate', api_key: 'r8' } })
  await service.request('PATCH', '/admin/v1/brands/brand_default', { body: { hosts: ['127.0.0.1'] } })
  const submit = async (): Promise<string> => (await send('/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a boat' })).id
  const lostId = await submit()
  const [claim] = await claimEmbedded(service.store, 1, 60_000, { route: 'main', snapshotNo: 3 })
  if (claim?.id !== lostId) throw new Error('the task was not claimed')
  await service.store.fail(claim, { code: 'lost_upstream', message: 'It is unknown.' }, { unresolved: 'lost_reply' })
  ids
    .set('attempt', `${lostId}_1`)
    .set('released', await submit())
    .set('failed', await submit())
  await service.store.database.updateTable('tasks').set({ held: 1, waits: onHoldMark }).where('status', '=', 'queued').execute()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function readAuditedActions(): Promise<string[]> {
  // Keeps the auditor below the limit on requests per second.
  service.clockAheadMs += 100
  const { status, json } = await service.request('GET', '/admin/v1/audit?limit=100', { key: auditorKey })
  expect([status, json]).toMatchObject([200, { items: expect.any(Array) }])
  return json.items.map(({ action }: { action: string }) => action).toReversed()
}

it("every operation of the operator's API with a method other than GET has a command", () => {
  expect(Object.keys(actions).toSorted()).toEqual(operations.map((operation) => operation.id).toSorted())
})

it.each(Object.entries(actions))(
  'the command for the operation %s sends it, and the audit log records it if it changes anything',
  async (operation, { command, args, audited, input = '', exitCode = 0 }) => {
    const actionsBefore = await readAuditedActions()
    receivedOperations.length = 0
    const outcome = await runCommand([...command.split(' '), ...args()], {
      cwd: service.dataDir,
      env: { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.key },
      input,
    })
    expect(outcome).toEqual({ exitCode, stdout: expect.any(String), stderr: expect.any(String) })
    expect(receivedOperations).toContain(operation)
    expect((await readAuditedActions()).slice(actionsBefore.length)).toEqual(audited)
  },
)

it('docs/console.md lists the command of each operation', () => {
  const rows = readFileSync(fileURLToPath(consolePage), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes('`framegate '))
  const listed = rows.flatMap((row) => {
    const texts = [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    // A row may name the group of its commands once: `framegate routes set`, `remove`.
    const group = texts[0]?.split(' ').slice(0, 2).join(' ')
    return texts.map((text) => (text.startsWith('framegate ') ? text : `${group} ${text}`))
  })
  const isListed = (command: string): boolean => listed.some((text) => `framegate ${command} `.startsWith(`${text} `))
  expect(Object.values(actions).flatMap(({ command }) => (isListed(command) ? [] : [command]))).toEqual([])
})
