import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStore } from '../src/db/sqlite/sqlite-store.ts'
import { isLongRun } from '../src/db/store-under-test.ts'
import { ensureInstallation } from '../src/start/installation.ts'
import { systemClock } from '../src/lib/clock.ts'
import { previewKindOf } from '../src/media/result-file-name.ts'
import { startServer, type StartedServer } from './started-server.ts'

const killCount = isLongRun ? 30 : 4
/** Maximum time until a kill. It is long enough for a few finished renders. */
const runMsMax = 1200
const submitsPerProcess = 24
/** Number of tasks per process that are never cancelled. All others are cancelled at some time. */
const keptPerProcess = 2

const tasksPath = '/v2/model-center/tasks'
const shortVideo = { model: 'vidDq3-turbo', prompt: 'x', seconds: 1, resolution: '540p' }
/** A prompt without words that the renderer knows, which halves the CPU time of a render. */
const image = { model: 'imgA-5.0', prompt: 'x' }

let dataDir: string
let server: StartedServer | undefined

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-kill-'))
})

afterEach(async () => {
  await server?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

it(`no task is lost, repeated or charged twice over ${killCount} kills under load`, { timeout: 360_000 }, async () => {
  await grantCreditsThatExpire()
  const keysByTaskId = new Map<string, string>()
  const cancelled = new Set<string>()
  const keysWithoutResponse: string[] = []

  for (let processNo = 0; processNo < killCount; processNo++) {
    server = await startServer(dataDir)
    const alive = server
    await expectConsistentLedger(alive)
    const work = Array.from({ length: submitsPerProcess }, (_, index) =>
      runClient(alive, `${processNo}-${index}`, index < keptPerProcess),
    )
    // Each kill has its own part of the time, so that some kills happen during the submits and some
    // during the renders.
    await setTimeout(((processNo + Math.random()) / killCount) * runMsMax)
    await alive.kill()
    await Promise.all(work)
  }

  server = await startServer(dataDir)
  const lastServer = server
  // Clients without a response retry with the same key. The retry returns the task of the first
  // request, or creates the task if the first request did not.
  for (const key of keysWithoutResponse) keysByTaskId.set((await submit(lastServer, key)).id, key)
  for (const [id, key] of keysByTaskId) {
    if (!key.endsWith('-kept') && !cancelled.has(id)) await lastServer.request('POST', `${tasksPath}/${id}/cancel`)
  }
  expect(new Set(keysByTaskId.values()).size, 'no key has created two tasks').toBe(keysByTaskId.size)
  expect(keysByTaskId.size, 'every client has a task').toBe(killCount * submitsPerProcess)
  expect(keysWithoutResponse.length, 'the kills have hit clients that waited for a response').toBeGreaterThan(killCount)

  const endedTasks: Task[] = []
  for (const id of keysByTaskId.keys()) endedTasks.push(await waitUntilEnded(lastServer, id))
  expect(endedTasks.filter((task) => task.status === 'completed').length).toBeGreaterThanOrEqual(killCount * keptPerProcess)
  for (const task of endedTasks) {
    if (cancelled.has(task.id)) expect(task).toMatchObject({ status: 'failed', error_code: 'cancelled', amount: 0 })
    if (task.status === 'failed') expect(task.error_code).toBe('cancelled')
    if (task.status === 'completed') {
      const file = await lastServer.fetch(task.result_url ?? '')
      expect(file.status).toBe(200)
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    }
  }
  expect(await lastServer.stop()).toBe(0)
  server = undefined

  const store = await openSqliteStore({ dataDir, clock: systemClock })
  const report = await store.verifyCredits()
  const results = await store.database.selectFrom('results').select('object_key').execute()
  const storedTasks = await store.database
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const { spent } = await store.database
    .selectFrom('entries')
    .select(({ eb, fn }) => fn.sum<number>(eb.neg(eb.ref('amount'))).as('spent'))
    .where('task_no', 'is not', null)
    .executeTakeFirstOrThrow()
  await store[Symbol.asyncDispose]()

  expect(report.differences).toEqual([])
  expect(report.holds).toBe(0)
  const charged = endedTasks.reduce((sum, task) => sum + task.amount, 0)
  expect(spent / 1_000_000, 'the ledger agrees with the responses to clients').toBeCloseTo(charged, 6)
  expect(storedTasks.count, 'every stored task was returned to its client').toBe(keysByTaskId.size)
  const completed = endedTasks.filter((task) => task.status === 'completed')
  expect(results, 'one result for each completed task').toHaveLength(completed.length)
  const files = readdirSync(path.join(dataDir, 'media'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && previewKindOf(entry.name) === undefined,
  )
  expect(files.map((file) => file.name).toSorted(), 'one file for each result').toEqual(
    results.map((result) => result.object_key).toSorted(),
  )

  async function runClient(alive: StartedServer, name: string, isKept: boolean): Promise<void> {
    const key = isKept ? `${name}-kept` : name
    try {
      await setTimeout(Math.random() * runMsMax * 0.5)
      const { id } = await submit(alive, key)
      keysByTaskId.set(id, key)
      if (isKept) return
      await setTimeout(Math.random() * 200)
      const response = await alive.request('POST', `${tasksPath}/${id}/cancel`)
      if (response.ok) cancelled.add(id)
    } catch {
      // The process was killed. Submits without a response are retried at the end. A cancellation
      // without a response may have taken effect.
      if (![...keysByTaskId.values()].includes(key)) keysWithoutResponse.push(key)
    }
  }
})

/**
 * Grants credits, some of which expire during the test. As a result, holds use several grants, and
 * some releases go to expired grants.
 */
async function grantCreditsThatExpire(): Promise<void> {
  const store = await openSqliteStore({ dataDir, clock: systemClock })
  const { accountNo } = await ensureInstallation(store, Date.now())
  for (let lastsMs = 1_000; lastsMs < 60_000; lastsMs += 3_000) {
    await store.grant(accountNo, 1_500_000, 'for a while', { expiresAtMs: Date.now() + lastsMs })
  }
  await store[Symbol.asyncDispose]()
}

async function expectConsistentLedger(alive: StartedServer): Promise<void> {
  const check = await alive.request('GET', '/admin/v1/credits/verify')
  expect(await check.json()).toMatchObject({ differences: 0, found: [] })
}

async function submit(alive: StartedServer, key: string): Promise<Task> {
  const body = Number(key.split('-')[1]) % 2 === 0 ? image : shortVideo
  const response = await alive.request('POST', tasksPath, body, { 'idempotency-key': key })
  if (response.status !== 202) throw new Error(`submit got HTTP ${response.status}: ${await response.text()}`)
  return (await response.json()) as Task
}

async function waitUntilEnded(alive: StartedServer, id: string): Promise<Task> {
  for (;;) {
    const response = await alive.request('GET', `${tasksPath}/${id}?wait=30`)
    expect(response.status, `${id} is lost`).toBe(200)
    const task = (await response.json()) as Task
    if (task.status === 'completed' || task.status === 'failed') return task
  }
}
