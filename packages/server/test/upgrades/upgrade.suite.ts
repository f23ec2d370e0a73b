import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task, UsageOfAll } from '@framegate/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../src/db/store.ts'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { expectConsistentLedger } from '../consistent-ledger.ts'
import { fetchAtHost } from '../fetch-at-host.ts'
import { packetVideo } from '../packet-video.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator, type SimulatedRequest } from '../upstreams/simulator.ts'
import { brandHost, firstFrameKey, video, videoKey } from './fill-installation.ts'
import { readFixture, routingOf, encryptionKey, writeMedia, type Fixture, type Rows } from './fixture.ts'

/** A kind of database, SQLite or PostgreSQL, with fixtures of its databases from earlier versions. */
export interface EngineWithFixtures {
  name: string
  fixtures: readonly string[]
  /** Restores the database as the fixture's version left it. */
  load: (fixture: Fixture, dataDir: string) => Promise<LoadedDatabase>
}

export interface LoadedDatabase {
  /** Settings of a service on this database. */
  environment: Record<string, string>
  /** Migrates the database. */
  openStore: () => Promise<Store>
}

const tasksPath = '/v2/model-center/tasks'
/**
 * Time limit for the tasks in `finalStates`. It is long because a task continues only after the
 * lease of the killed service has expired.
 */
const untilEndedMsMax = 180_000

/** Final states of the tasks that had not ended at the kill. */
const finalStates: Record<string, Partial<Task>> = {
  'running upstream': { status: 'completed' },
  'running here': { status: 'completed' },
  'queued here': { status: 'completed' },
  'queued for a slot': { status: 'completed' },
  'queued in the account with a limit of one': { status: 'completed' },
  'over the limit of its account': { status: 'completed' },
  // The provider does not support looking up jobs, so the submit is not sent again.
  'being submitted': { status: 'failed', error_code: 'lost_upstream', amount: 0 },
}

export function describeUpgrades({ name, fixtures, load }: EngineWithFixtures): void {
  describe.each(fixtures)(`an upgrade of an installation of %s on ${name}`, { timeout: 300_000 }, (fixtureName) => {
    let folder: string
    let dataDir: string
    let upstream: Simulator
    let fixture: Fixture

    beforeEach(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'framegate-upgrade-'))
      dataDir = path.join(folder, 'data')
      mkdirSync(dataDir)
      upstream = await Simulator.open(openaiProtocol)
      upstream.media = await packetVideo({ frames: 24, framesPerSecond: 6 })
      fixture = readFixture(fixtureName, upstream.origin)
      writeMedia(fixture, dataDir)
    })
    afterEach(async () => {
      await upstream[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    it('the upgraded database has all tasks and ledger entries, and the same usage', async () => {
      const { openStore } = await load(fixture, dataDir)
      const store = await openStore()
      try {
        const accounts = await store.database.selectFrom('accounts').selectAll().orderBy('no').execute()
        for (const { no, balance, held } of accounts) {
          const tasks = rowsOf(fixture, 'tasks').filter((row) => row['account_no'] === no)
          const entries = rowsOf(fixture, 'entries').filter((row) => row['account_no'] === no)
          const listed = await store.list({ accountNo: no, limit: 100 })
          expect(listed.map(({ id, status }) => [taskNoOf(id), status])).toEqual(
            tasks.map((task) => [task['no'], task['status']]).toSorted(([left], [right]) => Number(right) - Number(left)),
          )
          const storedEntries = await store.listEntries({ accountNo: no, limit: 100 })
          expect(storedEntries.map(({ kind, microCredits }) => [kind, microCredits])).toEqual(
            entries
              .toSorted((left, right) => Number(right['position']) - Number(left['position']))
              .map((entry) => [entry['kind'], entry['amount']]),
          )
          expect([balance, held]).toEqual([sumOf(entries, 'amount'), sumOf(entries, 'held')])
        }
        expect(accounts).toHaveLength(rowsOf(fixture, 'accounts').length)

        const sums = ['completed', 'failed', 'charged', 'produced_ms', 'cost', 'cost_unknown'] as const
        const rowsBefore = rowsOf(fixture, 'usage')
        const usage = await store.database.selectFrom('usage').selectAll().execute()
        const keys = ['account_no', 'key_no', 'day', 'model', 'route_no'] as const
        expect(sumBy(usage, keys, sums)).toEqual(sumBy(rowsBefore, keys, sums))
        const totals = await store.readMany(sql`select * from usage_totals`.compile(store.database))
        expect(sumBy(totals, ['day', 'model'], sums)).toEqual(sumBy(rowsBefore, ['day', 'model'], sums))
        await expectConsistentLedger(store)
      } finally {
        await store[Symbol.asyncDispose]()
      }
    })

    describe('with the current service', () => {
      let server: StartedServer

      beforeEach(async () => {
        const { environment } = await load(fixture, dataDir)
        const configFile = path.join(folder, 'framegate.yaml')
        writeFileSync(configFile, JSON.stringify(routingOf(upstream.origin)))
        // The jobs of the old version, which are complete by now.
        upstream.moves = ['succeeded']
        for (let job = 0; job < highestRunningJobNumber(fixture); job++) upstream.addJob(submitOfOldVersion(upstream))
        const settings = { FRAMEGATE_CONFIG: configFile, FRAMEGATE_ALLOW_HOSTS: '127.0.0.1', FRAMEGATE_SEAL_KEY: encryptionKey }
        server = await startServer(dataDir, { ...settings, ...environment })
      }, 120_000)
      afterEach(() => server.kill())

      it('the upgraded service shows ended tasks unchanged, and ends each other task as expected, without a second job', async () => {
        const { keys, tasks, ended } = fixture
        for (const [id, task] of Object.entries(ended)) {
          const { status, amount, model, error_code, actualDuration } = task
          expect(await read(id)).toMatchObject({
            id,
            status,
            amount,
            model,
            actualDuration,
            ...(error_code ? { error_code } : {}),
          })
        }
        const { result_url: url = '' } = await read(tasks['completed upstream'])
        expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(videoIn(fixture))

        await vi.waitFor(
          async () => {
            for (const [kind, finalState] of Object.entries(finalStates))
              expect(await read(tasks[kind]), kind).toMatchObject(finalState)
          },
          { timeout: untilEndedMsMax, interval: 500 },
        )
        // One job for each of the three tasks that had not been submitted.
        expect(upstream.jobs).toHaveLength(highestRunningJobNumber(fixture) + 3)

        const repeatedVideo = await submit(keys.limited, videoKey, video)
        expect(await repeatedVideo.json()).toMatchObject({ id: tasks['queued in the account with a limit of one'] })
        expect(repeatedVideo.headers.get('idempotency-replayed')).toBe('true')
        const asset = String(rowsOf(fixture, 'assets')[0]?.['id'])
        const withImage = { ...video, first_frame: `asset:${asset}` }
        const repeatedFirstFrame = await submit(keys.first, firstFrameKey, withImage)
        expect(await repeatedFirstFrame.json()).toMatchObject({ id: tasks['queued for a slot'] })
        const refused = await submit(keys.first, firstFrameKey, { ...withImage, prompt: 'another' })
        expect(await refused.json()).toMatchObject({ error: { code: 'idempotency_key_reused' } })
        await expectUsageOf(Object.entries(tasks))
        expect(await server.stop()).toBe(0)
      })

      it('the upgraded service keeps accounts, keys, assets, upstreams, prices and unresolved attempts, and deletes an old task', async () => {
        const { keys, tasks } = fixture
        const accounts = await fetchJson<{ items: object[] }>('/admin/v1/accounts?limit=100')
        expect(accounts.items).toHaveLength(rowsOf(fixture, 'accounts').length)
        expect(await fetchJson('/v2/assets', keys.first)).toMatchObject({ items: [{ content_type: 'image/png' }] })
        expect(await fetchJson('/admin/v1/upstreams')).toMatchObject({
          items: expect.arrayContaining([expect.objectContaining({ name: 'spare', source: 'api' })]),
        })
        expect(await fetchJson('/admin/v1/attempts?unresolved=true')).toMatchObject({
          items: expect.arrayContaining([expect.objectContaining({ task: tasks['lost upstream'], reason: 'lost_reply' })]),
        })
        const quote = await server.request(
          'POST',
          `${tasksPath}/quote`,
          { model: 'imgA-5.0', prompt: 'a boat' },
          bearerOf(keys.first),
        )
        expect(await quote.json()).toMatchObject({ amount: 0.03 })
        // The total in micro-credits exceeds the safe integers of JavaScript.
        const metrics = await (await server.fetch(new URL('/metrics', server.baseUrl).href)).text()
        expect(Number(/^framegate_credits_balance (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(1e10)

        const removed = tasks['completed upstream'] ?? ''
        expect((await server.request('DELETE', `${tasksPath}/${removed}`, undefined, bearerOf(keys.first))).status).toBe(200)
        expect((await server.request('GET', `${tasksPath}/${removed}`, undefined, bearerOf(keys.first))).status).toBe(404)
        expect(await server.stop()).toBe(0)
      })

      async function read(id = ''): Promise<Task> {
        const { keys, tasks } = fixture
        const name = Object.keys(tasks).find((candidate) => tasks[candidate] === id) ?? ''
        if (name === 'completed in the brand') {
          const response = await fetchAtHost(`${server.baseUrl}${tasksPath}/${id}`, brandHost, {
            headers: bearerOf(keys.branded),
          })
          return (await response.json()) as Task
        }
        return fetchJson<Task>(`${tasksPath}/${id}`, name.includes('account') ? keys.limited : keys.first)
      }

      async function fetchJson<T>(address: string, key?: string): Promise<T> {
        return (await (await server.request('GET', address, undefined, key === undefined ? {} : bearerOf(key))).json()) as T
      }

      function submit(key: string, idempotencyKey: string, body: object): Promise<Response> {
        return server.request('POST', tasksPath, body, { ...bearerOf(key), 'idempotency-key': idempotencyKey })
      }

      /** Checks that the usage report of all accounts agrees with the tasks. */
      async function expectUsageOf(tasks: readonly (readonly [string, string])[]): Promise<void> {
        const endedTasks = await Promise.all(tasks.map(([, id]) => read(id)))
        const { total } = await fetchJson<UsageOfAll>('/admin/v1/usage?by=account,model')
        expect(total).toMatchObject({
          tasks: endedTasks.length,
          completed: endedTasks.filter(({ status }) => status === 'completed').length,
          failed: endedTasks.filter(({ status }) => status === 'failed').length,
          amount: Math.round(endedTasks.reduce((sum, { amount }) => sum + amount, 0) * 1e6) / 1e6,
        })
      }
    })
  })
}

type Row = Record<string, unknown>

function rowsOf({ tables }: Fixture, table: string): Row[] {
  const { columns, rows }: Rows = tables[table] ?? { columns: [], rows: [] }
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
}

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0)
}

/** Returns the sums of the columns for each combination of the keys. */
function sumBy(rows: readonly Row[], keys: readonly string[], columns: readonly string[]): Record<string, number[]> {
  const groups = Map.groupBy(rows, (row) => keys.map((key) => row[key]).join(' '))
  return Object.fromEntries([...groups].map(([group, members]) => [group, columns.map((column) => sumOf(members, column))]))
}

function highestRunningJobNumber({ runningJobs }: Fixture): number {
  return Math.max(...runningJobs.map((id) => Number(id.slice('job-'.length))))
}

function videoIn({ media }: Fixture): Buffer {
  const name = Object.keys(media).find((fileName) => fileName.endsWith('.mp4')) ?? ''
  return Buffer.from(media[name] ?? '', 'base64')
}

/** Returns a submit as the old version sent it, with only the fields that the simulator reads. */
function submitOfOldVersion({ origin }: Simulator): SimulatedRequest {
  return { method: 'POST', url: new URL('/v1/videos', origin), headers: {}, body: Buffer.alloc(0), json: {} }
}

function bearerOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
