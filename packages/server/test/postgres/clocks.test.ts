import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'
const model = 'imgA-5.0'
/**
 * Maximum duration of an operation: less than the difference between the clocks, and enough for a
 * slow machine.
 */
const soonSeconds = 120
const faketime = findFaketime()

/**
 * Processes with wrong clocks, by libfaketime. All stored times and all expirations follow the
 * database's clock.
 */
describe.skipIf(!hasPostgres || s3ServerUnavailable !== null || faketime === undefined)(
  s3Suite('processes whose clocks differ'),
  () => {
    let s3: S3Server
    let folder: string
    let settings: Record<string, string>
    let behindServer: StartedServer
    let aheadServer: StartedServer
    let stuckId: string

    beforeAll(async () => {
      s3 = await startS3Server()
      folder = mkdtempSync(path.join(tmpdir(), 'framegate-clocks-'))
      settings = {
        DATABASE_URL: await newDatabase(),
        FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 3).toString('base64'),
        FRAMEGATE_START_DEADLINE: String(soonSeconds),
        RESULT_URL_TTL: String(soonSeconds),
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.newBucket().bucket,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      }
      behindServer = await start('behind', '-6m')
      stuckId = await submit(behindServer, { simulate: { outcome: 'stuck' } })
      await vi.waitFor(async () => expect((await readTask(behindServer, stuckId)).status).toBe('processing'), { timeout: 30_000 })
      aheadServer = await start('ahead', '+7m')
    }, 120_000)
    afterAll(async () => {
      expect([await aheadServer.stop(), await behindServer.stop()]).toEqual([0, 0])
      await s3[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    async function start(name: string, clock: string): Promise<StartedServer> {
      const wrongClock = { LD_PRELOAD: faketime ?? '', FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      return await startServer(path.join(folder, name), { ...settings, ...wrongClock })
    }
    const turns = [1, 2, 3, 4, 5, 6]

    it('the clocks of the two processes have the configured offsets', async () => {
      for (const [server, minutes] of [
        [behindServer, -6],
        [aheadServer, 7],
      ] as const) {
        const { headers } = await fetch(`${new URL(server.baseUrl).origin}/healthz`)
        const aheadMinutes = (Date.parse(headers.get('date') ?? '') - Date.now()) / 60_000
        expect(Math.round(aheadMinutes)).toBe(minutes)
      }
    })

    it('tasks stay in submit order across processes, and none fails because of its start deadline', async () => {
      const ids: string[] = []
      for (const turn of turns) ids.push(await submit(turn % 2 === 0 ? aheadServer : behindServer))
      expect(ids).toEqual(ids.toSorted())
      for (const id of ids) {
        const { status, created: createdAt } = await readTask(behindServer, id, '?wait=60')
        expect(status).toBe('completed')
        expect(Math.abs(createdAt - Date.now() / 1000)).toBeLessThan(soonSeconds)
      }
      for (const server of [aheadServer, behindServer]) {
        const { items } = (await (await server.request('GET', `${tasksPath}?limit=${ids.length}`)).json()) as { items: Task[] }
        expect(items.map(({ id }) => id)).toEqual(ids.toReversed())
      }
    })

    it('a process claims no task with a valid lease of another process', async () => {
      await sleep(3_000)
      const { events } = (await (await aheadServer.request('GET', `${tasksPath}/${stuckId}/timeline`)).json()) as {
        events: { event: string }[]
      }
      expect(events.filter(({ event }) => event.startsWith('attempt'))).toHaveLength(1)
      expect(await readTask(aheadServer, stuckId)).toMatchObject({ status: 'processing' })
      expect((await aheadServer.request('POST', `${tasksPath}/${stuckId}/cancel`)).status).toBe(200)
    })

    it('a process accepts the links of another process while they are valid', async () => {
      const id = await submit(behindServer)
      for (const [signing, requested] of [
        [behindServer, aheadServer],
        [aheadServer, behindServer],
      ] as const) {
        const { result_url: link } = await readTask(signing, id, '?wait=60')
        const file = await fetch(String(link).replace(new URL(signing.baseUrl).origin, new URL(requested.baseUrl).origin))
        expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
      }
    })

    it('processes accept an API key until it expires', async () => {
      const accounts = (await (await aheadServer.request('GET', '/admin/v1/accounts')).json()) as { items: { id: string }[] }
      const keysPath = `/admin/v1/accounts/${accounts.items[0]?.id}/keys`
      const keyFor = async (seconds: number): Promise<string> => {
        const created = await aheadServer.request('POST', keysPath, { expires_at: Math.floor(Date.now() / 1000) + seconds })
        expect(created.status).toBe(201)
        return ((await created.json()) as { key: string }).key
      }
      const [longKey, shortKey] = [await keyFor(soonSeconds), await keyFor(4)]
      for (const server of [aheadServer, behindServer])
        await vi.waitFor(async () => expect(await statusWith(server, longKey)).toBe(200), { timeout: 10_000 })
      await sleep(4_000)
      for (const server of [aheadServer, behindServer])
        expect([await statusWith(server, longKey), await statusWith(server, shortKey)]).toEqual([200, 401])
    })
  },
)

async function submit(server: StartedServer, extraFields: object = {}): Promise<string> {
  const response = await server.request('POST', tasksPath, { model, prompt: 'a kite', ...extraFields })
  expect(response.status).toBe(202)
  return ((await response.json()) as Task).id
}

async function readTask(server: StartedServer, id: string, query = ''): Promise<Task> {
  return (await (await server.request('GET', `${tasksPath}/${id}${query}`)).json()) as Task
}

async function statusWith(server: StartedServer, key: string): Promise<number> {
  return (await server.request('GET', tasksPath, undefined, { authorization: `Bearer ${key}` })).status
}

/** Debian's package faketime. In CI it must be installed. */
function findFaketime(): string | undefined {
  const root = '/usr/lib'
  const library = readdirSync(root)
    .map((name) => path.join(root, name, 'faketime/libfaketime.so.1'))
    .find((file) => existsSync(file))
  if (library === undefined && process.env['CI'] === 'true') throw new Error('There is no libfaketime: apt-get install faketime.')
  return library
}
