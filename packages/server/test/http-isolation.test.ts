import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Brand } from '../src/brands/brand.ts'
import { everyRequest, unknownResources, type DocumentedRequest, type Resources } from './every-request.ts'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const ownerHost = 'alpha.example'
const strangerHost = 'beta.example'
const scopes = ['tasks:read', 'tasks:write', 'webhooks:write'] as const
const video = { model: 'vidDq3-turbo', prompt: 'a zebra of the owner', seconds: 5 }

interface Caller {
  key: string
  host: string
}

let service: HttpService
let ownerBrand: Brand
let account: TestAccount
let owner: Caller
let strangers: Record<'neighbor' | 'foreigner' | 'visitor', Caller>
beforeEach(async () => {
  // Fixes the clock, because responses are compared and links change every minute.
  const nowMs = Date.now()
  service = await openHttpService({ clock: () => nowMs, limits: { imagesWaitTimeoutMs: 100 } })
  ownerBrand = (await service.brands.createBrand({ name: 'Alpha', hosts: [ownerHost] })).brand
  const { brand: otherBrand } = await service.brands.createBrand({ name: 'Beta', hosts: [strangerHost] })
  const keyIn = async (brand: Brand | undefined) => (await service.newAccount(10, scopes, {}, brand)).key
  account = await service.newAccount(10, scopes, {}, ownerBrand)
  owner = { key: account.key, host: ownerHost }
  strangers = {
    neighbor: { key: await keyIn(ownerBrand), host: ownerHost },
    foreigner: { key: await keyIn(otherBrand), host: strangerHost },
    visitor: { key: await keyIn(undefined), host: '127.0.0.1' },
  }
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

/** Returns a response without the parts that differ between identical requests. */
async function responseTo({ key, host }: Caller, { method, path, headers, body }: DocumentedRequest): Promise<unknown> {
  const response = await service.request(method, service.origin + path, {
    key,
    host,
    headers,
    ...(body !== undefined && { body }),
  })
  const requestId = response.headers.get('x-request-id') ?? ''
  return {
    request: `${method} ${path}`,
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
    text: response.text.replaceAll(requestId, ''),
  }
}

async function responsesTo(caller: Caller, requests: DocumentedRequest[]): Promise<unknown[]> {
  const responses = []
  for (const request of requests) responses.push(await responseTo(caller, request))
  return responses
}

async function send(
  { key, host }: Caller,
  method: string,
  path: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
) {
  return await service.request(method, path, { key, host, ...more })
}

/**
 * Creates tasks in every status, an asset and a webhook for the owner. The owner's balance changes.
 * Returns the ids and names that requests can contain, and the id of a running task.
 */
async function runScenario(): Promise<{ resources: Resources; runningTaskId: string }> {
  const submit = async (idempotencyKey: string): Promise<string> =>
    (await send(owner, 'POST', tasksPath, { body: video, headers: { 'Idempotency-Key': idempotencyKey } })).json.id
  const [completed, failed, processing] = [await submit('order-1'), await submit('order-2'), await submit('order-3')]
  await service.startAll()
  await service.complete(completed, { durationMs: 4500 })
  await service.fail(failed, { code: 'content_policy', message: 'a refusal of the owner' })
  await service.progress(processing, 40)
  await submit('order-4')
  const { headers } = await send(owner, 'GET', `${tasksPath}/${completed}`)
  const { json: page } = await send(owner, 'GET', `${tasksPath}?limit=1`)
  const resources = {
    taskId: completed,
    objectKey: `${completed}.mp4`,
    uploadId: (
      await send(owner, 'POST', '/v2/assets/import', { body: { url: 'https://example.com/a.png', name: 'of the owner' } })
    ).json.id,
    // Nothing is sent to this URL, because the account has no alert.
    webhookId: (
      await send(owner, 'POST', '/v2/webhooks', { body: { url: 'https://93.184.216.34/hook', events: ['credits.low'] } })
    ).json.id,
    accountId: account.accountId,
    cursor: page.next_cursor,
    etag: headers.get('etag') ?? '',
    idempotencyKey: 'order-1',
  }
  return { resources, runningTaskId: processing }
}

/** Returns strings that no response to another account may contain. */
async function collectSecrets(resources: Resources): Promise<string[]> {
  const { json } = await send(owner, 'GET', tasksPath)
  const ids = json.items.map(({ id }: { id: string }) => id) as string[]
  return [...ids, resources.accountId, account.keyId, 'of the owner', account.key]
}

/**
 * Whether a request changes nothing. False also for a stream, because the stream of a running task
 * does not end.
 */
const isReading = ({ method, path }: DocumentedRequest) =>
  (method === 'GET' && !path.endsWith('/events')) || method === 'HEAD' || path.endsWith('/quote')

describe.each(['neighbor', 'foreigner', 'visitor'] as const)('requests of the %s', (name) => {
  it('another account gets the same response at every endpoint for existing and for unknown resources', async () => {
    const stranger = strangers[name]
    const { resources } = await runScenario()
    const foreignRequests = everyRequest(resources)
    const unknownRequests = everyRequest(unknownResources)
    let comparedCount = 0
    for (const [index, request] of foreignRequests.entries()) {
      if (!request.hasResourceId) continue
      const response = JSON.stringify(await responseTo(stranger, request))
      const expected = JSON.stringify(await responseTo(stranger, unknownRequests[index] ?? request))
      expect(withoutNames(response, resources)).toBe(withoutNames(expected, unknownResources))
      expect(response).toMatch(/"status":(403|404)/)
      comparedCount += 1
    }
    expect(comparedCount).toBeGreaterThan(8)
  })

  it('another account gets the same responses at every endpoint whatever others do, and changes none of their resources', async () => {
    const stranger = strangers[name]
    const reading = everyRequest(unknownResources).filter(isReading)
    const responsesBefore = await responsesTo(stranger, reading)
    const { resources, runningTaskId } = await runScenario()
    if (name !== 'neighbor') await changeOwnerBrand()
    expect(await responsesTo(stranger, reading)).toEqual(responsesBefore)

    const ownersRequests = [...everyRequest(resources), ...everyRequest({ ...resources, taskId: runningTaskId })]
    const ownerResponses = await responsesTo(owner, ownersRequests.filter(isReading))
    const secrets = [
      ...(await collectSecrets(resources)),
      ...(name === 'neighbor' ? [] : ['Alpha', 'alpha.example', ownerBrand.id]),
    ]
    for (const request of ownersRequests) {
      const response = withoutNames(withoutNames(JSON.stringify(await responseTo(stranger, request)), resources), {
        ...resources,
        taskId: runningTaskId,
      })
      expect(
        secrets.filter((secret) => response.includes(secret)),
        response,
      ).toEqual([])
    }
    expect(await responsesTo(owner, ownersRequests.filter(isReading))).toEqual(ownerResponses)
  })

  it('another account has its own idempotency keys', async () => {
    const { idempotencyKey } = (await runScenario()).resources
    const submit = async (caller: Caller, prompt: string) => {
      const { status, headers, json } = await send(caller, 'POST', tasksPath, {
        body: { ...video, prompt },
        headers: { 'Idempotency-Key': idempotencyKey },
      })
      return { status, id: json.id as string, replayed: headers.get('idempotency-replayed') }
    }
    const firstResponse = await submit(strangers[name], 'mine')
    expect(firstResponse).toMatchObject({ status: 202, replayed: null })
    expect(await submit(strangers[name], 'mine')).toEqual({ ...firstResponse, replayed: 'true' })
    const repeated = await submit(owner, video.prompt)
    expect(repeated).toMatchObject({ status: 202, replayed: 'true' })
    expect(repeated.id).not.toBe(firstResponse.id)
  })
})

it('request ids tell a client neither the number of requests of others nor the process', async () => {
  const ids: string[] = []
  for (let count = 0; count < 50; count++) {
    const caller = count % 2 === 0 ? strangers.foreigner : owner
    ids.push((await send(caller, 'GET', '/v2/credits')).headers.get('x-request-id') ?? '')
  }
  for (const part of [(id: string) => id.slice(0, 12), (id: string) => id.slice(-8)])
    expect(new Set(ids.map(part)).size).toBe(ids.length)
  expect(ids.toSorted()).not.toEqual(ids)
})

it('a key at the host of another brand gets the responses for an unknown key at every endpoint', async () => {
  const admin = await service.newAccount(0, ['admin'], {}, ownerBrand)
  const { resources } = await runScenario()
  const requests = everyRequest(resources).filter(({ needsKey }) => needsKey)
  const { neighbor, foreigner, visitor } = strangers
  const operator = { key: admin.key, host: ownerHost }
  for (const [host, callers] of [
    [ownerHost, [foreigner, visitor]],
    [strangerHost, [neighbor, visitor, owner, operator]],
    ['127.0.0.1', [neighbor, foreigner, owner, operator]],
  ] as const) {
    const unknown = await responsesTo({ host, key: `fg_live_${'A'.repeat(43)}` }, requests)
    expect(unknown.every((response) => (response as { status: number }).status === 401)).toBe(true)
    for (const caller of callers) {
      // The host of the key's brand accepts and caches the key.
      expect((await send(caller, 'GET', '/v2/model-center/models?limit=1')).status).toBe(200)
      expect(await responsesTo({ host, key: caller.key }, requests)).toEqual(unknown)
    }
  }
})

/**
 * Removes values that a response repeats from its request, because they reveal nothing to the
 * client.
 */
function withoutNames(response: string, resources: Resources): string {
  return Object.values(resources).reduce(
    (text, resource) => text.replaceAll(JSON.stringify(resource).slice(1, -1), '…'),
    response,
  )
}

async function changeOwnerBrand(): Promise<void> {
  const { id, no } = ownerBrand
  await service.brands.changeBrand(id, { name: 'Alpha Two', resultOrigin: 'https://files.alpha.example', tasksInFlightMax: 100 })
  await service.brands.setBrandModel(id, video.model, { title: 'Alpha Films' })
  await service.brands.setBrandModel(id, 'imgA_5.0Pro', { visibility: 'invocable' })
  await service.brands.setBrandModel(id, 'imgA-5.0', { visibility: 'hidden' })
  await service.prices.setPrice({ model: video.model, brandNo: no, price: { unit: 'task', credits: { '*': 1 } } })
}
