import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newUnmigratedDatabase } from './test-database.ts'

const killCount = 4
const runMsMax = 800
const submitsPerKill = isLongRun ? 16 : 12
const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'x' }

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('two processes on one database'), () => {
  let root: string
  let url: string
  let s3: S3Server
  let mediaSettings: Record<string, string>
  let servers: StartedServer[]

  beforeAll(async () => {
    s3 = await startS3Server()
  })
  afterAll(() => s3[Symbol.asyncDispose]())
  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'framegate-kill-'))
    // The first two processes migrate it at the same time.
    url = await newUnmigratedDatabase()
    mediaSettings = {
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    servers = []
  })
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    rmSync(root, { recursive: true, force: true })
  })

  const encryptionKey = Buffer.alloc(32, 5).toString('base64')
  const start = (index: number): Promise<StartedServer> =>
    startServer(path.join(root, `data-${index}`), { DATABASE_URL: url, FRAMEGATE_SEAL_KEY: encryptionKey, ...mediaSettings })

  it(
    `two processes lose no task and run no task twice over ${killCount} alternating kills under load`,
    { timeout: 240_000 },
    async () => {
      servers = await Promise.all([start(0), start(1)])
      const acknowledged = new Map<string, string>()
      const keysWithoutResponse: string[] = []
      for (let round = 0; round < killCount; round++) {
        const killedIndex = round % 2
        const work = Array.from({ length: submitsPerKill }, async (_, index) => {
          const key = `${round}-${index}`
          await setTimeout(Math.random() * runMsMax)
          const id = await submit(servers[index % 2]!, key).catch(() => null)
          if (id === null) keysWithoutResponse.push(key)
          else acknowledged.set(key, id)
        })
        await setTimeout(Math.random() * runMsMax)
        await servers[killedIndex]!.kill()
        await Promise.all(work)
        servers[killedIndex] = await start(killedIndex)
      }
      expect(keysWithoutResponse.length).toBeGreaterThan(0)
      // Clients without a response retry with the same key at any process, which returns the task of
      // the first request, or creates the task.
      for (const [index, key] of keysWithoutResponse.entries()) acknowledged.set(key, await submit(servers[index % 2]!, key))
      expect(new Set(acknowledged.values()).size).toBe(killCount * submitsPerKill)

      const [firstServer, secondServer] = servers as [StartedServer, StartedServer]
      for (const id of acknowledged.values()) {
        const pending = secondServer.request('GET', `${tasksPath}/${id}?wait=20`)
        await firstServer.request('POST', `${tasksPath}/${id}/cancel`)
        const task = (await (await pending).json()) as Task
        expect(['completed', 'failed']).toContain(task.status)
      }
      expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0])
      servers = []

      const store = await openTestStore(url)
      const report = await store.verifyCredits()
      const storedTasks = await store.database.selectFrom('tasks').select(['status']).execute()
      await store[Symbol.asyncDispose]()
      expect(report).toMatchObject({ differences: [], holds: 0 })
      expect(storedTasks).toHaveLength(acknowledged.size)
    },
  )

  it('a process with another seal.key than the first process does not start', { timeout: 60_000 }, async () => {
    servers = [await start(0)]
    const otherServer = startServer(path.join(root, 'data-1'), { DATABASE_URL: url })
    await expect(otherServer).rejects.toThrow('encrypted with a key that this process does not have')
  })
})

async function submit(server: StartedServer, key: string): Promise<string> {
  const response = await server.request('POST', tasksPath, image, { 'idempotency-key': key })
  if (response.status !== 202) throw new Error(`submit got HTTP ${response.status}`)
  return ((await response.json()) as Task).id
}
