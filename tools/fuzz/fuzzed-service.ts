import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { openApiDocument } from '../../packages/contract/src/openapi/document.ts'

type OpenApiDocument = ReturnType<typeof openApiDocument>

const launcher = fileURLToPath(new URL('../../packages/cli/bin/framegate.js', import.meta.url))
const preload = new URL('./block-network.ts', import.meta.url).href
const basePath = '/api'
/**
 * Number of operator keys. There are several, because each is limited to 50 requests per second.
 */
const operatorKeyCount = 4

/** Kind of API key that a client uses. `anonymous` sends no key. */
export type KeyKind = 'operator' | 'client' | 'reader' | 'revoked' | 'anonymous'

/** A fresh service on a free local port, with keys of several kinds. */
export interface FuzzedService extends AsyncDisposable {
  origin: string
  basePath: string
  keys: Record<KeyKind, string[]>
  /** Ids of objects that the run must not change. */
  protectedIds: string[]
  fetchOpenApiDocument(): Promise<OpenApiDocument>
  /**
   * Number of responses by status so far, and the messages that the service has logged at level
   * `error` or `fatal`. If the service has ended with an error, one of the messages says so.
   */
  recorded(): { statuses: Map<number, number>; errors: string[] }
  /**
   * Number of keys of this kind that are no longer valid. The run may have revoked its own keys,
   * and its later results would then prove nothing.
   */
  countInvalidKeys(keyKind: KeyKind): Promise<number>
  /** Number of differences between the ledger and the balances. */
  countLedgerDifferences(): Promise<number>
}

interface LogLine {
  level?: number
  status?: number
  msg?: string
  err?: { message?: string }
}

const errorLevel = 50

export async function openFuzzedService(): Promise<FuzzedService> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-fuzz-'))
  const bootstrapKey = `fg_live_${randomBytes(32).toString('base64url')}`
  const child = spawn(process.execPath, ['--import', preload, launcher, 'serve', '--json'], {
    env: {
      ...process.env,
      FRAMEGATE_MODE: 'production',
      FRAMEGATE_DATA_DIR: dataDir,
      FRAMEGATE_HOST: '127.0.0.1',
      FRAMEGATE_PORT: '0',
      FRAMEGATE_BASE_PATH: basePath,
      FRAMEGATE_BOOTSTRAP_KEY: bootstrapKey,
      FRAMEGATE_RENDER_SLOTS: '1',
      LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

  const exited = once(child, 'exit')
  const statuses = new Map<number, number>()
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { level = 0, status, msg, err } = parseLogLine(line)
    if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (level >= errorLevel) errors.push(`${msg}: ${err?.message}`)
  })
  child.once('exit', (code) => {
    if (code !== 0) errors.push(`the service exited with the code ${code}`)
  })
  const [ready] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])) as [string]
  const { origin } = new URL((JSON.parse(ready) as { base_url: string }).base_url)

  async function send<Body>(method: string, endpointPath: string, body?: object): Promise<Body> {
    const response = await fetch(origin + basePath + endpointPath, {
      method,
      headers: { authorization: `Bearer ${bootstrapKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${endpointPath} got HTTP ${response.status}: ${await response.text()}`)
    return (await response.json()) as Body
  }

  const protectedIds: string[] = []
  async function issueKey(accountId: string, scopes: string[], moreFields: object = {}): Promise<string> {
    const { id, key } = await send<{ id: string; key: string }>('POST', `/admin/v1/accounts/${accountId}/keys`, {
      scopes,
      ...moreFields,
    })
    protectedIds.push(id)
    return key
  }

  // Assigns this host to the first brand, so that no brand that the run creates can take it.
  const [brand] = (await send<{ items: { id: string }[] }>('GET', '/admin/v1/brands')).items
  await send('PATCH', `/admin/v1/brands/${brand?.id}`, { hosts: ['127.0.0.1'] })
  const [account] = (await send<{ items: { id: string }[] }>('GET', '/admin/v1/accounts')).items
  if (brand === undefined || account === undefined) throw new Error('the fresh service has no brand or no account')
  const customer = await send<{ id: string }>('POST', '/admin/v1/accounts', { name: 'customer', brand: brand.id })
  await send('POST', `/admin/v1/accounts/${customer.id}/grants`, { amount: 100, reference: 'fuzz', note: 'to be spent' })
  protectedIds.push(brand.id, account.id, customer.id)
  const operatorScopes = ['tasks:write', 'tasks:read', 'admin']
  const operators: string[] = []
  for (let count = 0; count < operatorKeyCount; count++) {
    operators.push(await issueKey(account.id, operatorScopes, { name: `operator ${count}`, tasks_in_flight_max: 2 }))
  }
  const revoked = await issueKey(customer.id, ['tasks:write', 'tasks:read'], { name: 'revoked' })
  await send('DELETE', `/admin/v1/keys/${protectedIds.at(-1)}`)

  const keys: Record<KeyKind, string[]> = {
    operator: operators,
    client: [await issueKey(customer.id, ['tasks:write', 'tasks:read'], { name: 'client', tasks_in_flight_max: 2 })],
    reader: [await issueKey(customer.id, ['tasks:read'], { name: 'reader' })],
    revoked: [revoked],
    anonymous: [],
  }

  return {
    origin,
    basePath,
    protectedIds,
    keys,
    fetchOpenApiDocument: () => send('GET', '/openapi.json'),
    recorded: () => ({ statuses, errors }),
    async countInvalidKeys(keyKind) {
      const statuses = keys[keyKind].map(async (key) => {
        const headers = { authorization: `Bearer ${key}` }
        return (await fetch(`${origin}${basePath}/v2/model-center/models?limit=1`, { headers })).status
      })
      return (await Promise.all(statuses)).filter((status) => status !== 200).length
    },
    async countLedgerDifferences() {
      return (await send<{ differences: number }>('GET', '/admin/v1/credits/verify')).differences
    },

    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function parseLogLine(line: string): LogLine {
  return line.startsWith('{') ? (JSON.parse(line) as LogLine) : {}
}
