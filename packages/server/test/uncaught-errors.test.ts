import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServer, type StartedServer } from './started-server.ts'

const tasksPath = '/v2/model-center/tasks'
const fixture = new URL('throw-on-request.fixture.ts', import.meta.url).href

let folder: string
let dataDir: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-stray-'))
  dataDir = path.join(folder, 'data')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Submits tasks in sequence until the service accepts no more. Returns the ids of the accepted
 * tasks.
 */
async function submitUntilStopped(server: StartedServer): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const body = { model: 'imgA-5.0', prompt: `task ${ids.length}`, simulate: { queued_seconds: 60 } }
    const response = await server.request('POST', tasksPath, body).catch(() => undefined)
    if (response?.status !== 202) return ids
    ids.push(((await response.json()) as { id: string }).id)
  }
}

it.each([
  ['exception', 'uncaughtException'],
  ['rejection', 'unhandledRejection'],
])('an uncaught %s is logged and ends the service with exit code 1, and no acknowledged task is lost', async (kind, origin) => {
  const triggerFile = path.join(folder, 'throw')
  const broken = await startServer(dataDir, {
    NODE_OPTIONS: `--import=${fixture}`,
    THROW_WHEN_THERE: triggerFile,
    FRAMEGATE_SHUTDOWN_DELAY: '30',
  })
  const submitting = Promise.all(Array.from({ length: 8 }, () => submitUntilStopped(broken)))
  await expect.poll(async () => (await broken.request('GET', `${tasksPath}?limit=1`)).text()).toContain('task_')
  writeFileSync(triggerFile, kind)
  const [exitCode] = await once(broken.process, 'exit')
  expect(exitCode, broken.log()).toBe(1)
  const lines = broken
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const fatal = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 60)
  expect(fatal).toMatchObject([{ origin, err: { message: 'thrown by a test' }, msg: expect.stringContaining('uncaught error') }])

  const ids = (await submitting).flat()
  expect(ids.length).toBeGreaterThan(0)
  const restarted = await startServer(dataDir)
  for (const id of ids) expect((await restarted.request('GET', `${tasksPath}/${id}`)).status).toBe(200)
  expect(await restarted.stop()).toBe(0)
})

it('an uncaught exception in a thread that serves HTTP is logged and ends the service with exit code 1', async () => {
  const triggerFile = path.join(folder, 'throw')
  const environment = {
    NODE_OPTIONS: `--import=${fixture}`,
    THROW_WHEN_THERE: triggerFile,
    THROW_IN: 'http',
    FRAMEGATE_THREADS: '2',
  }
  const broken = await startServer(dataDir, environment)
  writeFileSync(triggerFile, 'exception')
  const [exitCode] = await once(broken.process, 'exit')
  expect(exitCode, broken.log()).toBe(1)
  const lines = broken
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 60)).toMatchObject([
    { err: { message: 'thrown by a test' }, msg: 'the service cannot continue' },
  ])
})
