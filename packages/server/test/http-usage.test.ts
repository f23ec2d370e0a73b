import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const video = { model: 'vidDq3-turbo', prompt: 'a kite over a beach', seconds: 10 }
const dayMs = 24 * 60 * 60 * 1000

let service: HttpService
let nowMs = 0
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 15, 12)
  service = await openHttpService({ clock: () => nowMs })
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

async function completeTask(body: object, seconds: number | null, key: string): Promise<void> {
  const { json } = await service.request('POST', tasksPath, { body, key })
  await service.startAll()
  await service.complete(json.id, { durationMs: seconds === null ? null : seconds * 1000, chargeMicroCredits: 40_000 })
}

it('usage adds up ended tasks by day, model and key', async () => {
  const { key, accountNo } = await service.newAccount(10)
  const { key: otherKey } = await service.keys.issueKey({ accountNo, name: 'other', scopes: ['tasks:write'], expiresAtMs: null })
  await completeTask(image, null, key)
  nowMs += dayMs
  await completeTask(video, 10, key)
  await completeTask(video, 8, otherKey)
  const { json: cancelled } = await service.request('POST', tasksPath, { body: image, key })
  await service.request('POST', `${tasksPath}/${cancelled.id}/cancel`, { key })
  await service.request('POST', tasksPath, { body: image, key })
  const readUsage = async (query: string) => (await service.request('GET', `/v2/usage${query}`, { key })).json

  const noTokens = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 }
  expect(await readUsage('')).toEqual({
    object: 'usage',
    from: '2025-12-18',
    until: '2026-01-16',
    rows: [
      { day: '2026-01-15', completed: 1, failed: 0, charged: 0.04, seconds: 0, ...noTokens },
      { day: '2026-01-16', completed: 2, failed: 1, charged: 0.08, seconds: 18, ...noTokens },
    ],
    total: { completed: 3, failed: 1, charged: 0.12, seconds: 18, ...noTokens },
  })
  expect((await readUsage('?by=model')).rows).toEqual([
    { model: 'imgA-5.0', completed: 1, failed: 1, charged: 0.04, seconds: 0, ...noTokens },
    { model: 'vidDq3-turbo', completed: 2, failed: 0, charged: 0.08, seconds: 18, ...noTokens },
  ])
  const byKey = (await readUsage('?by=day,key&from=2026-01-16')).rows
  expect(byKey).toHaveLength(2)
  expect(byKey.map(({ seconds }: { seconds: number }) => seconds).toSorted()).toEqual([10, 8])
  expect(byKey[0].key).toMatch(/^key_/)
  expect((await readUsage('?until=2026-01-14')).rows).toEqual([])

  const query = 'by=day,model&from=2026-01-16'
  for (const [path, accept] of [
    [`/v2/usage.csv?${query}`, '*/*'],
    [`/v2/usage.csv?${query}`, 'text/csv'],
    [`/v2/usage?${query}`, 'text/csv'],
    [`/v2/usage?${query}&format=csv`, 'text/csv'],
    [`/v2/usage?${query}&format=csv`, '*/*'],
  ] as const) {
    const csv = await service.request('GET', path, { key, headers: { accept } })
    expect([path, csv.headers.get('content-type')]).toEqual([path, 'text/csv; charset=utf-8'])
    expect(csv.text).toBe(
      'day,model,completed,failed,charged,seconds,input_tokens,cached_input_tokens,output_tokens\r\n' +
        '2026-01-16,imgA-5.0,0,1,0,0,0,0,0\r\n2026-01-16,vidDq3-turbo,2,0,0.08,18,0,0,0\r\n',
    )
  }
})

it.each([
  ['/v2/usage.csv', 'application/json'],
  ['/v2/usage?format=csv', 'image/png'],
  ['/v2/usage?format=json', 'text/csv'],
  ['/v2/usage', 'image/png'],
])('%s gets 406 for Accept: %s, which allows none of its formats', async (path, accept) => {
  const { status, json } = await service.request('GET', path, { headers: { accept } })
  expect([status, json.error.code]).toEqual([406, 'not_acceptable'])
})

it('usage is JSON for a client that accepts JSON and CSV', async () => {
  for (const accept of ['application/json, text/csv', 'text/csv, */*;q=0.1']) {
    const { json } = await service.request('GET', '/v2/usage', { headers: { accept } })
    expect(json.object).toBe('usage')
  }
})

it('usage of another account is hidden', async () => {
  const { key } = await service.newAccount(1)
  await completeTask(image, null, key)
  expect((await service.request('GET', '/v2/usage')).json.rows).toEqual([])
})

it.each([
  ['from=yesterday', 'from'],
  ['until=2026-02-30', 'until'],
  ['from=2026-01-16&until=2026-01-15', 'from'],
  ['from=2020-01-01', 'from'],
  ['by=week', 'by'],
  ['format=xml', 'format'],
])('a usage report with %s is rejected', async (query, param) => {
  const { status, json } = await service.request('GET', `/v2/usage?${query}`)
  expect([status, json.error.param]).toEqual([400, param])
})
