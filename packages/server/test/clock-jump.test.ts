import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runFramegate } from '../../cli/test/run-framegate.ts'
import { createClockHook, type ClockHook } from './clock-hook.ts'
import { startServer, type StartedServer } from './started-server.ts'
import { openWebhookReceiver, respondWith } from './webhook-receiver.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'x' }
const yearMs = 365 * 24 * 60 * 60 * 1000
/** Interval at which the services of this file sweep expired results, assets and uploads. */
const sweepIntervalMs = 1_000
/** Longer than the time between the ends of two sweeps. */
const sweepMs = 5 * sweepIntervalMs

let folder: string
let clock: ClockHook
let server: StartedServer

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-clock-'))
  clock = createClockHook(folder, { minuteMs: sweepIntervalMs })
  server = await startServer(path.join(folder, 'data'), { ...clock.environment, FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
})
afterEach(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const readJson = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>
const isNow = (created: number): boolean => Math.abs(created - Date.now() / 1000) < 120
const fileOf = (id: string): string | undefined =>
  readdirSync(path.join(folder, 'data', 'media'), { recursive: true, encoding: 'utf8' }).find((name) => name.includes(`${id}.`))

/**
 * Sets the clock of the service. Waits until the service has logged the jump, and until each of its
 * threads, which read the clock every 50 ms, uses the new time.
 */
async function setClock(aheadMs: number, logLine: string): Promise<void> {
  clock.setAhead(aheadMs)
  await vi.waitUntil(() => server.log().includes(logLine), { timeout: 20_000 })
  await sleep(500)
}

async function submit(apiKey = server.apiKey, headers: Record<string, string> = {}): Promise<Task> {
  const response = await server.request('POST', tasksPath, image, { authorization: `Bearer ${apiKey}`, ...headers })
  expect(response.status).toBe(202)
  return (await response.json()) as Task
}

/** Creates an account whose only credits expire in a month. */
async function accountWithCredits(): Promise<{ id: string; key: string }> {
  const { id } = (await readJson(await server.request('POST', '/admin/v1/accounts', { name: 'one' }))) as { id: string }
  const created = await readJson(
    await server.request('POST', `/admin/v1/accounts/${id}/keys`, { scopes: ['tasks:write', 'tasks:read'] }),
  )
  const expiresAt = Math.floor(Date.now() / 1000) + 30 * 86_400
  const granted = await server.request('POST', `/admin/v1/accounts/${id}/grants`, { amount: 100, expires_at: expiresAt })
  expect(granted.status).toBeLessThan(300)
  return { id, key: String(created['key']) }
}

it(
  'no result, credits or idempotency key expires during sweeps with the clock a year ahead, and later ids are current',
  { timeout: 300_000 },
  async () => {
    const account = await accountWithCredits()
    const readBalance = async () => {
      const view = await readJson(await server.request('GET', `/admin/v1/accounts/${account.id}`))
      return Number(view['balance']) + Number(view['held'])
    }
    const { id } = await submit()
    const taskBefore = (await readJson(await server.request('GET', `${tasksPath}/${id}?wait=60`))) as unknown as Task
    expect(taskBefore.status).toBe('completed')
    const file = fileOf(id)
    expect([file === undefined, await readBalance()]).toEqual([false, 100])
    const retryHeaders = { 'idempotency-key': 'once' }
    const firstTask = await submit(server.apiKey, retryHeaders)

    await setClock(yearMs, 'the clock has jumped ahead')
    expect((await submit(account.key)).created - Date.now() / 1000).toBeGreaterThan(yearMs / 1000 - 3_600)
    expect((await submit(server.apiKey, retryHeaders)).id).toBe(firstTask.id)
    await sleep(sweepMs)
    expect(fileOf(id)).toBe(file)
    await setClock(0, 'the clock is correct again')

    const taskAfter = (await readJson(await server.request('GET', `${tasksPath}/${id}`))) as unknown as Task
    expect(taskAfter).toMatchObject({ status: 'completed', result_url: expect.stringContaining(id) })
    expect((await fetch(String(taskAfter.result_url))).status).toBe(200)
    expect(await readBalance()).toBeGreaterThan(99)
    expect((await submit(server.apiKey, retryHeaders)).id).toBe(firstTask.id)
    const { created } = await submit()
    expect([new Date(created * 1000).getFullYear(), isNow(created)]).toEqual([new Date().getFullYear(), true])
    expect(await server.stop()).toBe(0)
  },
)

it(
  'a start with the clock a year ahead removes no result, and after the next start, ids are current and the doctor warns of a task in the future',
  { timeout: 300_000 },
  async () => {
    const { id } = await submit()
    await server.request('GET', `${tasksPath}/${id}?wait=60`)
    const file = fileOf(id)
    expect(file).toBeDefined()
    await server.kill()
    clock.setAhead(yearMs)
    server = await startServer(path.join(folder, 'data'), clock.environment)
    await submit()
    await sleep(5_000)
    expect(fileOf(id)).toBe(file)
    await server.kill()
    clock.setAhead(0)
    server = await startServer(path.join(folder, 'data'), clock.environment)
    const newest = await submit()
    expect(isNow(newest.created)).toBe(true)
    await expect.poll(() => server.log()).toContain('the newest task has a time in the future')
    const { items } = (await readJson(await server.request('GET', tasksPath))) as unknown as { items: Task[] }
    expect(items.map((task) => task.id)).toContain(newest.id)
    expect(existsSync(path.join(folder, 'data', 'media', file ?? ''))).toBe(true)
    await server.kill()

    const env = { FRAMEGATE_DATA_DIR: path.join(folder, 'data'), FRAMEGATE_PORT: '0' }
    const doctor = await runFramegate(['doctor', '--json', '--no-render', '--url', 'http://127.0.0.1:9/api'], {
      cwd: folder,
      env,
    })
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; status: string; message: string }[] }
    expect(checks.find(({ name }) => name === 'task_times')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/^1 task has a time in the future, the newest \d{4}-/),
    })
    server = await startServer(path.join(folder, 'data'), clock.environment)
  },
)

it('the daily limit of a key ignores what it spent while the clock was a month ahead, and limits what it spends afterwards', async () => {
  const price = Number((await readJson(await server.request('POST', `${tasksPath}/quote`, image)))['amount'])
  const { id } = await accountWithCredits()
  const limits = { scopes: ['tasks:write'], spent_per_day_max: 2.5 * price }
  const { key } = await readJson(await server.request('POST', `/admin/v1/accounts/${id}/keys`, limits))
  const authorization = { authorization: `Bearer ${String(key)}` }
  const statusOfSubmit = async () => (await server.request('POST', tasksPath, image, authorization)).status
  await setClock(31 * 24 * 60 * 60 * 1000, 'the clock has jumped ahead')
  expect([await statusOfSubmit(), await statusOfSubmit(), await statusOfSubmit()]).toEqual([202, 202, 402])
  await setClock(0, 'the clock is correct again')
  expect([await statusOfSubmit(), await statusOfSubmit(), await statusOfSubmit()]).toEqual([202, 202, 402])
})

it('a simulated task that runs while the clock is set back by a month completes', { timeout: 60_000 }, async () => {
  await setClock(31 * 24 * 60 * 60 * 1000, 'the clock has jumped ahead')
  const body = { ...image, simulate: { seconds: 20 } }
  const { id } = (await readJson(await server.request('POST', tasksPath, body))) as unknown as Task
  const readStatus = async () => (await readJson(await server.request('GET', `${tasksPath}/${id}`)))['status']
  await vi.waitFor(async () => expect(await readStatus()).toBe('processing'), { timeout: 10_000 })
  await setClock(0, 'the clock is correct again')
  await vi.waitFor(async () => expect(await readStatus()).toBe('completed'), { timeout: 20_000, interval: 250 })
  expect(server.log()).not.toContain('TimeoutOverflowWarning')
})

it('a webhook with a failure on each side of a clock jump of six days is not disabled', { timeout: 60_000 }, async () => {
  await using receiver = await openWebhookReceiver()
  receiver.respond = respondWith(500)
  const { id } = await readJson(await server.request('POST', '/v2/webhooks', { url: receiver.url }))
  await submit()
  await receiver.awaitEvents(1)
  const readWebhook = async () => await readJson(await server.request('GET', `/v2/webhooks/${String(id)}`))
  await vi.waitFor(async () => expect((await readWebhook())['failing_since']).not.toBeNull(), { timeout: 10_000 })
  await setClock(6 * 24 * 60 * 60 * 1000, 'the clock has jumped ahead')
  const attemptCount = async () => {
    const { items } = await readJson(await server.request('GET', `/v2/webhooks/${String(id)}/deliveries`))
    return (items as { attempts: number }[])[0]?.attempts
  }
  await vi.waitFor(async () => expect(await attemptCount()).toBe(2), { timeout: 20_000 })
  expect(await readWebhook()).toMatchObject({ enabled: true, disabled_reason: null })
})
