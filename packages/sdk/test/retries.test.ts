import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Retry } from '../src/index.ts'
import { pauseSecondsBefore } from '../src/retry.ts'
import { outcomeOf, refusal, scriptedClient, task, type Script } from './scripted-service.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const request = { model: 'a model of tomorrow', prompt: 'x', whatever: 1 }
const accepted: Script = { status: 202, body: task('queued') }

function abortedInASecond(): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort('enough'), 1_000)
  return controller.signal
}

async function create(scripts: Script[], options: { maxRetries?: number; timeoutSeconds?: number } = {}) {
  const { client, requests } = scriptedClient(scripts)
  const retries: Retry[] = []
  const outcome = await outcomeOf(client.tasks.create(request, { ...options, onRetry: (retry) => retries.push(retry) }))
  return { outcome, requests, retries }
}

it('a request that JSON cannot represent is rejected immediately, and nothing is sent', async () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  for (const whatever of [10n, circular]) {
    const { client, requests } = scriptedClient([accepted])
    const outcome = await outcomeOf(client.tasks.create({ model: 'a model of tomorrow', whatever }))
    expect(outcome).toMatchObject({ code: 'invalid_option', param: 'body', message: expect.stringMatching(/BigInt|circular/) })
    expect(requests).toEqual([])
  }
})

it('a submit is retried with the same body and idempotency key if it is lost, temporarily rejected or fails with 500', async () => {
  for (const trouble of [
    'lost',
    refusal(503, 'overloaded'),
    refusal(500, 'internal_error'),
    refusal(429, 'rate_limited'),
  ] as const) {
    const { outcome, requests } = await create([trouble, trouble, accepted])
    expect(outcome).toEqual(task('queued'))
    expect(requests.map(({ body }) => body)).toEqual([request, request, request])
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]))
  }
})

it('each call uses its own idempotency key', async () => {
  const { client, requests } = scriptedClient([accepted])
  await outcomeOf(Promise.all([client.tasks.create(request), client.tasks.create(request)]))
  expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
})

it.each([
  [400, 'invalid_parameter'],
  [401, 'invalid_api_key'],
  [402, 'insufficient_credits'],
  [403, 'brand_model_missing'],
  [404, 'model_not_found'],
  [409, 'idempotency_key_reused'],
  [413, 'body_too_large'],
])('a request that is rejected with %i is not retried', async (status, code) => {
  const { outcome, requests } = await create([refusal(status, code), accepted])
  expect(outcome).toMatchObject({ status, code, message: `It is ${code}.`, requestId: 'req_1' })
  expect(requests).toHaveLength(1)
})

it('a request fails after three retries, or maxRetries, with the last error', async () => {
  const { outcome, requests, retries } = await create(['lost', 'lost', 'lost', refusal(503, 'overloaded'), accepted])
  expect(outcome).toMatchObject({ code: 'overloaded' })
  expect(requests).toHaveLength(4)
  expect(retries.map(({ count, error }) => `${count} ${error.code}`)).toEqual([
    '1 connection_failed',
    '2 connection_failed',
    '3 connection_failed',
  ])
  expect((await create(['lost'], { maxRetries: 0 })).requests).toHaveLength(1)
  expect((await create(['lost'], { maxRetries: 6 })).requests).toHaveLength(7)
})

it('a lost connection gives an error with the address and the cause', async () => {
  const { outcome } = await create(['lost'], { maxRetries: 0 })
  expect(outcome).toMatchObject({
    code: 'connection_failed',
    message: 'No response from http://framegate.test/api (ECONNRESET).',
    status: null,
    requestId: null,
    cause: expect.any(TypeError),
  })
})

it('the retry delay doubles up to sixteen seconds, less a random part', () => {
  const counts = [1, 2, 3, 4, 5, 6, 60]
  expect(counts.map((count) => pauseSecondsBefore(count, null, () => 1))).toEqual([1, 2, 4, 8, 16, 16, 16])
  expect(counts.map((count) => pauseSecondsBefore(count, null, () => 0))).toEqual([0.5, 1, 2, 4, 8, 8, 8])
})

it('a retry waits at least for the time in Retry-After, which may be seconds or a date', async () => {
  for (const send of [() => '7', () => new Date(Date.now() + 7_500).toUTCString()]) {
    const { requests, retries } = await create([refusal(503, 'overloaded', { 'retry-after': send() }), accepted])
    const [first, second] = requests.map(({ atMs }) => atMs)
    const waitedMs = (second ?? 0) - (first ?? 0)
    expect([waitedMs >= 6_400, waitedMs <= 8_500]).toEqual([true, true])
    expect(retries[0]?.delaySeconds).toBeCloseTo(waitedMs / 1000, 1)
  }
})

it('after a Retry-After of more than a minute, the request fails instead of waiting', async () => {
  const { outcome, requests } = await create([refusal(503, 'no_route', { 'retry-after': '3600' }), accepted])
  expect(outcome).toMatchObject({ code: 'no_route', retryAfterSeconds: 3600 })
  expect(requests).toHaveLength(1)
})

it('a request without a response within the timeout is aborted and retried', async () => {
  const { outcome, requests, retries } = await create(['silent', accepted], { timeoutSeconds: 20 })
  expect(outcome).toEqual(task('queued'))
  expect(retries[0]?.error).toMatchObject({
    code: 'timed_out',
    message: 'No response from http://framegate.test/api within 20 s.',
  })
  expect((requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(20_500)
})

it('a request with a timeout above the maximum delay of a timer does not time out immediately', async () => {
  const { client } = scriptedClient([{ ...accepted, afterMs: 3_600_000 }], { timeoutSeconds: Infinity, maxRetries: 0 })
  expect(await outcomeOf(client.tasks.create(request))).toMatchObject({ status: 'queued' })
})

it('a long poll may take its wait in addition to the timeout', async () => {
  const { client } = scriptedClient([{ status: 200, body: task('processing'), afterMs: 59_000 }])
  expect(await outcomeOf(client.tasks.get('task_1', { waitSeconds: 60, timeoutSeconds: 5, maxRetries: 0 }))).toEqual(
    task('processing'),
  )
})

it('an abort ends a request or a retry delay immediately, and rejects with the reason', async () => {
  for (const script of ['silent', refusal(503, 'overloaded', { 'retry-after': '30' })] as const) {
    const { client, requests } = scriptedClient([script])
    const controller = new AbortController()
    const call = client.tasks.create(request, { signal: controller.signal }).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(1_000)
    controller.abort('enough')
    expect(await call).toBe('enough')
    expect([requests.length, vi.getTimerCount()]).toEqual([1, 0])
  }
})

it('the error for a response from another server says that it is not from Framegate', async () => {
  const page = '<html>Bad gateway</html>'
  const { outcome } = await create([{ status: 502, body: page, headers: { 'x-request-id': 'req_p' } }], { maxRetries: 0 })
  expect(outcome).toMatchObject({ code: 'unexpected_answer', status: 502, requestId: 'req_p' })
  const { outcome: wrongSite } = await create([{ status: 200, body: page }])
  expect(wrongSite).toMatchObject({ code: 'unexpected_answer', status: 200, message: expect.stringContaining('base URL') })
  const { outcome: moved, requests } = await create([{ status: 301, body: '', headers: { location: 'https://new.test/' } }])
  expect(moved).toMatchObject({ status: 301, message: expect.stringContaining('https://new.test/') })
  expect(requests).toHaveLength(1)
})

it('a cancel whose first response was lost succeeds if the retry finds the task cancelled', async () => {
  const cancelled = task('failed', { error_code: 'cancelled' })
  const alreadyEnded = refusal(409, 'task_already_ended')
  const { client } = scriptedClient(['lost', alreadyEnded, { status: 200, body: cancelled }])
  expect(await outcomeOf(client.tasks.cancel('task_1'))).toEqual(cancelled)
  const completed = scriptedClient(['lost', alreadyEnded, { status: 200, body: task('completed') }])
  expect(await outcomeOf(completed.client.tasks.cancel('task_1'))).toMatchObject({ code: 'task_already_ended' })
  const notLost = scriptedClient([alreadyEnded])
  expect(await outcomeOf(notLost.client.tasks.cancel('task_1'))).toMatchObject({ code: 'task_already_ended' })
  expect(notLost.requests).toHaveLength(1)
})

it('an abort waits for the response to a submit if awaitResponseOnAbort or cancelOnAbort is set', async () => {
  const slowly: Script = { status: 202, body: task('queued'), afterMs: 2_000 }
  const single = scriptedClient([slowly])
  const created = single.client.tasks.create(request, { signal: abortedInASecond(), awaitResponseOnAbort: true })
  expect(await outcomeOf(created)).toEqual(task('queued'))
  const unanswered = scriptedClient(['silent'])
  const abortedCreate = unanswered.client.tasks.create(request, { signal: abortedInASecond(), awaitResponseOnAbort: true })
  expect([await outcomeOf(abortedCreate), unanswered.requests.length]).toEqual(['enough', 1])

  const scripted = scriptedClient([slowly, { status: 200, body: task('failed', { error_code: 'cancelled' }) }])
  const waiting = scripted.client.tasks.createAndWait(request, { signal: abortedInASecond(), cancelOnAbort: true })
  expect(await outcomeOf(waiting)).toBe('enough')
  expect(scripted.requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'POST /api/v2/model-center/tasks',
    'POST /api/v2/model-center/tasks/task_1/cancel',
  ])
})
