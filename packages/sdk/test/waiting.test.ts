import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Task, WaitOptions } from '../src/index.ts'
import { noStream, outcomeOf, refusal, scriptedClient, task, type Script } from './scripted-service.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const running = (progress: number, retryAfter?: number): Script => ({
  status: 200,
  body: task('processing', { progress }),
  headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
})
const longPoll = (seconds: number, progress = 0, etag?: string): Script => ({
  status: 200,
  body: task('processing', { progress }),
  ...(etag !== undefined && { headers: { etag } }),
  afterMs: seconds * 1000,
})
const completed: Script = { status: 200, body: task('completed') }

async function wait(scripts: Script[], options: WaitOptions = {}, stream: Script = noStream) {
  const { client, requests } = scriptedClient(scripts, {}, stream)
  const startedAtMs = Date.now()
  const outcome = await outcomeOf(client.tasks.wait(task('queued'), options))
  return {
    outcome,
    requests,
    waits: requests.map(({ url }) => url.searchParams.get('wait')),
    pausesMs: requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.atMs ?? 0)),
    tookMs: Date.now() - startedAtMs,
  }
}

it('tasks.wait sends long polls, and sends the next when one returns without a change', async () => {
  const { outcome, waits, pausesMs } = await wait([longPoll(30), longPoll(30), completed])
  expect(outcome).toEqual(task('completed'))
  expect([waits, pausesMs]).toEqual([
    ['30', '30', '30'],
    [30_000, 30_000],
  ])
})

it('tasks.wait with onTask limits each long poll to five seconds', async () => {
  const statuses: string[] = []
  const { waits } = await wait([longPoll(5, 10), longPoll(5, 20), completed], {
    onTask: ({ status, progress }: Task) => statuses.push(`${status} ${progress}`),
  })
  expect([waits, statuses]).toEqual([
    ['5', '5', '5'],
    ['queued 0', 'processing 10', 'processing 20', 'completed 0'],
  ])
})

it('tasks.wait calls onTask for each change immediately, and then polls for the next change', async () => {
  const statuses: string[] = []
  const unchanged: Script = { status: 304, headers: { etag: 'W/"3"' }, afterMs: 5_000 }
  const { outcome, requests, pausesMs } = await wait(
    [longPoll(0, 0, 'W/"1"'), longPoll(1, 15, 'W/"2"'), longPoll(0.9, 30, 'W/"3"'), unchanged, completed],
    { onTask: ({ status, progress }: Task) => statuses.push(`${status} ${progress}`) },
  )
  expect(outcome).toEqual(task('completed'))
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual(['"unknown"', 'W/"1"', 'W/"2"', 'W/"3"', 'W/"3"'])
  expect(pausesMs).toEqual([0, 1_000, 900, 5_000])
  expect(statuses).toEqual(['queued 0', 'processing 0', 'processing 15', 'processing 30', 'processing 30', 'completed 0'])
})

it('tasks.wait without onTask sends no ETag', async () => {
  const { requests } = await wait([longPoll(30, 0, 'W/"1"'), completed])
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, null])
})

it('tasks.wait with onTask pauses between polls that get an immediate response, with 304 or a new ETag', async () => {
  const notModified: Script = { status: 304, headers: { etag: 'W/"1"', 'retry-after': '6' } }
  expect((await wait([longPoll(0, 0, 'W/"1"'), notModified, notModified, completed], { onTask: vi.fn() })).pausesMs).toEqual([
    0, 6_000, 6_000,
  ])
  const changedResponses = Array.from({ length: 9 }, (_, count) => longPoll(0, 0, `W/"${count}"`))
  expect((await wait([...changedResponses, completed], { onTask: vi.fn() })).pausesMs).toEqual([
    0, 0, 0, 0, 0, 5_000, 5_000, 5_000, 5_000,
  ])
})

it('tasks.wait polls every five to ten seconds, according to Retry-After, if the service does not support long polls', async () => {
  const { outcome, pausesMs } = await wait([running(1, 1), running(2, 7), running(3, 60), running(4), completed])
  expect(outcome).toEqual(task('completed'))
  expect(pausesMs).toEqual([5_000, 7_000, 10_000, 5_000])
})

it('tasks.wait continues after lost or temporarily rejected polls, and reports each retry', async () => {
  const retries: string[] = []
  const { outcome, pausesMs } = await wait(
    ['lost', refusal(503, 'overloaded', { 'retry-after': '20' }), refusal(429, 'rate_limited'), completed],
    { onRetry: ({ error, count, delaySeconds }) => retries.push(`${count} ${error.code} ${delaySeconds}`) },
  )
  expect(outcome).toEqual(task('completed'))
  expect(pausesMs).toEqual([5_000, 20_000, 5_000])
  expect(retries).toEqual(['1 connection_failed 5', '2 overloaded 20', '3 rate_limited 5'])
})

it('tasks.wait continues behind a proxy that aborts every long poll: after a lost poll it sends one without wait', async () => {
  const cuts = Array.from({ length: 20 }, (): Script[] => ['lost', running(10)]).flat()
  const { outcome, waits, pausesMs } = await wait([...cuts, 'lost', completed])
  expect(outcome).toEqual(task('completed'))
  expect(waits.slice(0, 4)).toEqual(['30', null, '30', null])
  expect(pausesMs.slice(0, 4)).toEqual([5_000, 0, 5_000, 0])
})

it('tasks.wait in the mode poll sends neither wait nor an ETag', async () => {
  const { waits, pausesMs, requests } = await wait([running(1), running(2, 7), 'lost', completed], {
    mode: 'poll',
    onTask: vi.fn(),
  })
  expect([waits, pausesMs]).toEqual([Array(4).fill(null), [5_000, 7_000, 5_000]])
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual(Array(4).fill(null))
})

it('tasks.wait in the mode long_poll opens no stream', async () => {
  const { outcome, waits } = await wait([completed], { mode: 'long_poll' }, streamed(task('failed')))
  expect([outcome, waits]).toEqual([task('completed'), ['30']])
})

it('tasks.wait in the mode stream resumes a lost stream, rejects with a permanent error, and never polls', async () => {
  const retries: number[] = []
  const options: WaitOptions = { mode: 'stream', onRetry: ({ count }) => retries.push(count) }
  const lostWait = await wait([completed], options, 'lost')
  expect([lostWait.outcome, lostWait.requests, retries.length]).toMatchObject([{ code: 'connection_failed' }, [], 12])
  const refused = await wait([completed], options, refusal(404, 'task_not_found'))
  expect([refused.outcome, refused.requests]).toMatchObject([{ code: 'task_not_found' }, []])
  const silent = await wait([completed], { ...options, timeoutSeconds: 3 }, 'silent')
  expect([silent.outcome, silent.tookMs]).toMatchObject([{ code: 'wait_timed_out' }, 3_000])
})

it('tasks.wait fails after thirteen polls in a row without a response', async () => {
  const { outcome, requests } = await wait(['lost'])
  expect(outcome).toMatchObject({ code: 'connection_failed' })
  expect(requests).toHaveLength(13)
})

it('tasks.wait fails immediately when the task does not exist', async () => {
  const { outcome, requests } = await wait([refusal(404, 'task_not_found')])
  expect(outcome).toMatchObject({ status: 404, code: 'task_not_found' })
  expect(requests).toHaveLength(1)
})

it('tasks.wait times out on time with an error that says that the task continues, with or without long polls', async () => {
  for (const script of [running(10), longPoll(12, 10)]) {
    const { outcome, tookMs } = await wait([script], { timeoutSeconds: 12 })
    expect(outcome).toMatchObject({
      code: 'wait_timed_out',
      message: 'The task task_1 is still processing after 12 s and continues.',
      task: { status: 'processing', progress: 10 },
    })
    expect(tookMs).toBe(12_000)
  }
})

const streamed = (...tasks: Task[]): Script => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: tasks.map((snapshot, index) => `event: task\nid: ${index}\ndata: ${JSON.stringify(snapshot)}\n\n`).join(''),
})

it('tasks.wait follows the stream of the task to its end, and sends no poll', async () => {
  const onTask = vi.fn()
  const steps = [task('queued'), task('processing', { progress: 40 }), task('completed')]
  const { outcome, requests } = await wait(['lost'], { onTask }, streamed(...steps))
  expect([outcome, requests]).toEqual([task('completed'), []])
  expect(onTask.mock.calls.map(([{ status }]) => status)).toEqual(['queued', 'queued', 'processing', 'completed'])
  const failed = task('failed', { error_code: 'content_policy' })
  expect((await wait(['lost'], {}, streamed(failed))).outcome).toMatchObject({ code: 'content_policy', task: failed })
})

it.each([
  ['is refused', refusal(429, 'rate_limited'), 0],
  ['breaks off', 'lost', 0],
  ['is not a stream of events', { status: 200, body: '<html>' }, 0],
  ['sends nothing for five seconds', 'silent', 5_000],
] as [string, Script, number][])('tasks.wait falls back to polls immediately if the stream %s', async (_what, stream, ms) => {
  const { outcome, waits, tookMs } = await wait([completed], {}, stream)
  expect([outcome, waits, tookMs]).toEqual([task('completed'), ['30'], ms])
})

it('tasks.wait with an open stream ends at its timeout, and immediately when it is aborted', async () => {
  const { outcome, tookMs } = await wait([completed], { timeoutSeconds: 3 }, 'silent')
  expect([outcome, tookMs]).toMatchObject([{ code: 'wait_timed_out' }, 3_000])
  const { client } = scriptedClient([], {}, 'silent')
  const controller = new AbortController()
  const waiting = client.tasks.wait('task_1', { signal: controller.signal }).catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(500)
  controller.abort('enough')
  expect([await waiting, vi.getTimerCount()]).toEqual(['enough', 0])
})

it('tasks.wait waits for an hour by default', async () => {
  const { outcome, tookMs } = await wait([longPoll(30)])
  expect(outcome).toMatchObject({ code: 'wait_timed_out' })
  expect(tookMs).toBe(3_600_000)
})

it('tasks.wait rejects when the task fails, and leaves no timer behind when it is aborted', async () => {
  const failed = task('failed', { error: 'It was refused.', error_code: 'content_policy' })
  const { outcome } = await wait([{ status: 200, body: failed }])
  expect(outcome).toMatchObject({ code: 'content_policy', message: 'The task task_1 failed: It was refused.', task: failed })

  const { client } = scriptedClient(['silent'])
  const controller = new AbortController()
  const waiting = client.tasks.wait('task_1', { signal: controller.signal }).catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(500)
  controller.abort('enough')
  expect([await waiting, vi.getTimerCount()]).toEqual(['enough', 0])
})
