import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startServer, type StartedServer } from './started-server.ts'

const tasksPath = '/v2/model-center/tasks'
/** Exit code of `framegate serve` if another service has taken its data folder. */
const lostFolderExitCode = 5
const keyCount = 94

let folder: string
let dataDir: string
let servers: StartedServer[]
/** Data folder of a service that has stopped. */
let stoppedFolder: string

beforeAll(async () => {
  stoppedFolder = mkdtempSync(path.join(tmpdir(), 'framegate-stopped-'))
  await (await startServer(stoppedFolder)).stop()
})
afterAll(() => rmSync(stoppedFolder, { recursive: true }))

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-lost-folder-'))
  dataDir = path.join(folder, 'data')
  servers = []
})

afterEach(async () => {
  for (const { process } of servers) if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL')
  await sleep(100)
  rmSync(folder, { recursive: true, force: true })
})

it(
  'the first of two services on a folder whose lock was deleted exits with 5, and no key creates two tasks',
  { timeout: 180_000 },
  async () => {
    const firstServer = await start(dataDir)
    const firstExit = exitOf(firstServer)
    const secondServer = await startWithoutLock()

    const created = new Map<string, Set<string>>()
    await Promise.all(
      Array.from({ length: keyCount }, async (_, number) => {
        const key = `key-${number}`
        const ids = await Promise.all([firstServer, secondServer].map((server) => submit(server, key)))
        created.set(key, new Set(ids.filter((id) => id !== null)))
      }),
    )
    const duplicatedKeys = [...created].filter(([, ids]) => ids.size > 1).map(([key]) => key)
    expect(duplicatedKeys, 'keys that created two tasks').toEqual([])
    expect(await firstExit, firstServer.log()).toBe(lostFolderExitCode)
    expect(fatalLines(firstServer)).toEqual([expect.stringContaining('another Framegate')])
    for (const [key, ids] of created) expect(ids.size, key).toBe(1)
    // `stop` compares the ledger with the tasks before it sends SIGTERM.
    expect(await secondServer.stop()).toBe(0)
  },
)

it('a service creates and locks a deleted lock file again, and a second service is rejected', async () => {
  const firstServer = await start(dataDir)
  rmSync(path.join(dataDir, 'lock.db'))
  await expect.poll(() => existsSync(path.join(dataDir, 'lock.db')), { timeout: 20_000 }).toBe(true)
  await expect.poll(() => firstServer.log(), { timeout: 20_000 }).toContain('lock.db was removed')
  await expect(start(dataDir)).rejects.toThrow(/in use by another Framegate/)
  expect(await submit(firstServer, 'after')).toMatch(/^task_/)
  expect(await firstServer.stop()).toBe(0)
})

it.each([
  ['folder was renamed away and restored', (copy: string) => [renameSync(dataDir, `${dataDir}-old`), renameSync(copy, dataDir)]],
  [
    'database file was replaced',
    (copy: string) => [renameSync(path.join(copy, 'framegate.db'), path.join(dataDir, 'framegate.db'))],
  ],
  ['database file was removed', () => [rmSync(path.join(dataDir, 'framegate.db'))]],
])('a service whose %s exits with 5', async (_, replace) => {
  const copy = path.join(folder, 'copy')
  for (const target of [dataDir, copy]) cpSync(stoppedFolder, target, { recursive: true })
  const server = await start(dataDir)
  const exit = exitOf(server)
  replace(copy)
  expect(await exit, server.log()).toBe(lostFolderExitCode)
  expect(fatalLines(server)).toEqual([expect.stringContaining('framegate.db')])
})

async function start(dir: string): Promise<StartedServer> {
  const server = await startServer(dir)
  servers.push(server)
  return server
}

/**
 * Starts a second service. The lock file is deleted repeatedly, because otherwise the first service
 * takes the lock again before the second service has started.
 */
async function startWithoutLock(): Promise<StartedServer> {
  const deleting = setInterval(() => rmSync(path.join(dataDir, 'lock.db'), { force: true }), 5)
  try {
    for (let attemptsLeft = 10; ; attemptsLeft--) {
      // A start may fail because the file is deleted while the service locks it, or because the
      // first service holds the lock for a short time.
      const server = await start(dataDir).catch((error: Error) => error)
      if (!(server instanceof Error)) return server
      if (attemptsLeft === 0 || !/cannot be locked|in use/.test(server.message)) throw server
    }
  } finally {
    clearInterval(deleting)
  }
}

/** Returns the exit code when the process has ended and its whole log has been read. */
async function exitOf({ process }: StartedServer): Promise<number | null> {
  const [code] = (await once(process, 'close')) as [number | null]
  return code
}

/** Submits a task and returns its id. Null if the task was not accepted. */
async function submit(server: StartedServer, key: string): Promise<string | null> {
  const body = { model: 'imgA-5.0', prompt: key, simulate: { queued_seconds: 600 } }
  try {
    const response = await server.request('POST', tasksPath, body, { 'idempotency-key': key })
    return response.status === 202 ? ((await response.json()) as { id: string }).id : null
  } catch {
    return null
  }
}

function fatalLines(server: StartedServer): string[] {
  return server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; err?: { message: string } })
    .filter(({ level }) => level === 60)
    .map(({ err }) => err?.message ?? '')
}
