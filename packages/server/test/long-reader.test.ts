import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServer, type StartedServer } from './started-server.ts'

const megabyte = 1024 * 1024
const submitCount = 600
const clientCount = 2
/**
 * Maximum time without an accepted task. A writer that waits for a reader would wait 5 s,
 * repeatedly. A busy machine causes shorter delays.
 */
const gapMsMax = 4_000

let dataDir: string
let server: StartedServer
let reader: ChildProcess | undefined

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-long-reader-'))
  server = await startServer(dataDir)
})

afterEach(async () => {
  reader?.kill('SIGKILL')
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

it('a long read transaction does not delay submits, and the log and the metrics report it', async () => {
  const file = path.join(dataDir, 'framegate.db')
  reader = await startReader(file)
  growLog(file, 200)
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(64 * megabyte)

  const gapMs = await measureLongestGapMs()
  expect(gapMs, 'the longest time without an accepted task').toBeLessThan(gapMsMax)
  await expect.poll(() => countLogLines('grows'), { timeout: 10_000 }).toBe(1)
  expect(await readMetric('framegate_database_log_bytes')).toBeGreaterThan(200 * megabyte)
  expect(await readMetric('framegate_database_log_held')).toBe(1)

  reader.kill('SIGKILL')
  await once(reader, 'exit')
  await expect.poll(submitAndReadHeld, { timeout: 20_000 }).toBe(0)
  await expect.poll(() => countLogLines('reused')).toBe(1)
  expect(countLogLines('grows')).toBe(1)
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(65 * megabyte)
  expect(await server.stop()).toBe(0)
})

/** Starts a process with a read transaction that lasts until the process is killed. */
async function startReader(file: string): Promise<ChildProcess> {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(file)}, { readOnly: true })
    database.exec('begin')
    database.prepare('select count(*) from tasks').get()
    console.log('reading')
    setInterval(() => database.isOpen, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return child
}

function growLog(file: string, megabytes: number): void {
  using database = new DatabaseSync(file, { timeout: 20_000 })
  database.exec('pragma wal_autocheckpoint = 0; create table ballast (bytes blob)')
  const insert = database.prepare(`insert into ballast values (zeroblob(${megabyte}))`)
  for (let i = 0; i < megabytes; i++) insert.run()
}

async function measureLongestGapMs(): Promise<number> {
  let submitsLeft = submitCount
  let lastAt = performance.now()
  let longestMs = 0
  const runClient = async (): Promise<void> => {
    while (submitsLeft-- > 0) {
      await submit()
      const nowMs = performance.now()
      longestMs = Math.max(longestMs, nowMs - lastAt)
      lastAt = nowMs
    }
  }
  await Promise.all(Array.from({ length: clientCount }, runClient))
  return longestMs
}

async function submit(): Promise<void> {
  const body = { model: 'imgA-5.0', prompt: 'a boat on a lake', simulate: { queued_seconds: 3_000 } }
  const response = await server.request('POST', '/v2/model-center/tasks', body)
  expect(response.status).toBe(202)
  await response.arrayBuffer()
}

async function submitAndReadHeld(): Promise<number> {
  await submit()
  return readMetric('framegate_database_log_held')
}

async function readMetric(name: string): Promise<number> {
  const text = await (await server.fetch(new URL('/metrics', server.baseUrl).href)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

function countLogLines(word: string): number {
  return server
    .log()
    .split('\n')
    .filter((line) => line.includes('write-ahead log') && line.includes(word)).length
}
