import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task, Timeline } from '@framegate/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../cli/test/run-framegate.ts'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { packetVideo } from '../packet-video.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { arkKey, arkProtocol } from './ark.protocol.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'

/** Location of a service's data, with settings for starting the service. */
export interface Installation {
  dataDir: string
  environment: Record<string, string>
  options: string[]
}

export interface CopySpec {
  name: string
  /** Creates an empty installation. `folder` is removed after the test. */
  create: (folder: string) => Promise<Installation>
  /** Copies the data of a running service as an operator would, to start it elsewhere. */
  copy: (running: Installation, folder: string) => Promise<Installation>
  /**
   * Whether only long runs test lookups and tasks without upstream cost. True if another copy of
   * the same engine is tested completely, because the copies differ in how the service learns that
   * it is one.
   */
  isAbridged?: true
}

const kling = 'vidK O3 Video Generation'
const seedance = 'sd_2.0_fast_special'
const waitMs = 90_000
/** Option of the tests of one kind of copy. The kinds are tested at the same time. */
const inTurn = { concurrent: false }
/** Time in which tasks that are not on hold would be started. */
const idleMs = 5_000

/**
 * Defines tests that copy an installation with queued tasks and start the copy elsewhere,
 * after the original has completed tasks with upstream cost.
 */
export function describeRestoredCopy({ name, create, copy, isAbridged }: CopySpec): void {
  const runsAllTests = isAbridged !== true || isLongRun
  describe(`a restored copy, made by ${name}`, { timeout: 300_000, concurrent: true }, () => {
    let folder: string
    let upstream: Simulator
    let server: StartedServer
    let environment: Record<string, string>

    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'framegate-restored-'))
      environment = {
        FRAMEGATE_CONFIG: path.join(folder, 'framegate.yaml'),
        FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
        FRAMEGATE_MODE: 'development',
      }
    })
    afterEach(async () => {
      await server.kill()
      await upstream[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    async function start({ dataDir, environment: installationEnvironment, options }: Installation): Promise<void> {
      server = await startServer(dataDir, { ...environment, ...installationEnvironment }, options)
    }

    async function submit(body: Record<string, unknown>): Promise<string> {
      const response = await server.request('POST', '/v2/model-center/tasks', body)
      expect(response.status).toBe(202)
      return ((await response.json()) as Task).id
    }

    async function queryTask(id: string): Promise<Task> {
      return (await (await server.request('GET', `/v2/model-center/tasks/${id}`)).json()) as Task
    }

    async function waitForStatus(status: string, ids: readonly string[]): Promise<void> {
      const isReached = async (): Promise<boolean> =>
        (await Promise.all(ids.map(async (id) => (await queryTask(id)).status === status))).every(Boolean)
      await vi.waitUntil(isReached, { timeout: waitMs, interval: 500 })
    }

    async function queryStatuses(ids: readonly string[]): Promise<string[]> {
      return Promise.all(ids.map(async (id) => (await queryTask(id)).status))
    }

    async function queryLastEvent(id: string): Promise<unknown> {
      const timeline = (await (await server.request('GET', `/v2/model-center/tasks/${id}/timeline`)).json()) as Timeline
      return timeline.events.at(-1)
    }

    async function runCli(...args: string[]): Promise<string> {
      const env = { FRAMEGATE_URL: server.baseUrl, FRAMEGATE_API_KEY: server.apiKey }
      const { exitCode, stdout, stderr } = await runCommand(args, { cwd: folder, env })
      expect(exitCode, stderr).toBe(0)
      return stdout
    }

    async function listHeldIds(): Promise<string[]> {
      const { items } = JSON.parse(await runCli('tasks', 'held', '--json')) as { items: { id: string }[] }
      return items.map(({ id }) => id)
    }

    it(
      'a restored copy starts no queued task at an upstream until an operator decides, and runs new tasks immediately',
      inTurn,
      async () => {
        upstream = await Simulator.open(openaiProtocol)
        upstream.media = await packetVideo()
        upstream.moves = ['running']
        const main = { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey, in_flight_max: 4 }
        const routes = [{ model: kling, upstream: 'main', upstream_model: 'sora-2' }]
        writeFileSync(environment['FRAMEGATE_CONFIG'] ?? '', JSON.stringify({ upstreams: { main }, routes }))
        const running = await create(folder)
        await start(running)
        const body = { model: kling, prompt: 'a kite over dunes', seconds: 5 }
        const ids = await Promise.all(Array.from({ length: 12 }, () => submit(body)))
        await vi.waitUntil(() => upstream.jobs.length === 4, { timeout: waitMs })
        await waitForStatus('processing', await waitForIds('processing', 4))
        const startedIds = await waitForIds('processing', 4)
        const queued = ids.filter((id) => !startedIds.includes(id))

        const restored = await copy(running, folder)
        upstream.moves = ['succeeded']
        for (const job of upstream.jobs) job.moves = ['succeeded']
        await waitForStatus('completed', ids)
        expect(upstream.jobs).toHaveLength(12)
        await server.kill()

        await start(restored)
        // Tasks that were in flight are polled, because the copy knows their jobs.
        await waitForStatus('completed', startedIds)
        await sleep(idleMs)
        expect(upstream.jobs, 'jobs before the operator has decided').toHaveLength(12)
        expect(await queryStatuses(queued)).toEqual(queued.map(() => 'queued'))
        expect(await queryLastEvent(queued[0] ?? '')).toMatchObject({ event: 'waiting', for: 'operator' })
        expect((await listHeldIds()).toSorted()).toEqual(queued.toSorted())
        expect(server.log()).toContain('tasks of the restored copy are on hold')
        expect(await readMetric('framegate_tasks_held')).toBe(8)

        await waitForStatus('completed', [await submit(body)])
        expect(upstream.jobs).toHaveLength(13)

        const [released = '', failed = '', cancelled = ''] = queued
        expect(await runCli('tasks', 'release', released)).toBe(`${released} released\n`)
        await waitForStatus('completed', [released])
        expect(upstream.jobs).toHaveLength(14)
        await runCli('tasks', 'fail', failed)
        expect(await queryTask(failed)).toMatchObject({ status: 'failed', error_code: 'lost_upstream', amount: 0 })
        expect((await server.request('POST', `/v2/model-center/tasks/${cancelled}/cancel`)).status).toBe(200)
        expect(await listHeldIds()).toHaveLength(5)
        const audit = (await (await server.request('GET', '/admin/v1/audit')).json()) as { items: { action: string }[] }
        expect(audit.items.map(({ action }) => action).slice(0, 2)).toEqual(['held_task.fail', 'held_task.release'])

        // The other tasks stay on hold after a restart and after a wait.
        await server.kill()
        await start({ ...restored, options: [] })
        await sleep(idleMs)
        expect(await listHeldIds()).toHaveLength(5)
        expect(upstream.jobs).toHaveLength(14)
        await runCli('tasks', 'release', '--all')
        await waitForStatus('completed', queued.slice(3))
        expect(upstream.jobs).toHaveLength(19)
        expect(await server.stop()).toBe(0)

        async function waitForIds(status: string, count: number): Promise<string[]> {
          return vi.waitUntil(
            async () => {
              const matchingIds: string[] = []
              for (const id of ids) if ((await queryTask(id)).status === status) matchingIds.push(id)
              return matchingIds.length === count ? matchingIds : undefined
            },
            { timeout: waitMs, interval: 250 },
          )
        }

        async function readMetric(metricName: string): Promise<number> {
          const text = await (await server.fetch(new URL('/metrics', server.baseUrl).href)).text()
          return Number(new RegExp(`^${metricName} (\\S+)$`, 'm').exec(text)?.[1])
        }
      },
    )

    it.runIf(runsAllTests)('a restored copy looks up the job of a released task before it starts one', inTurn, async () => {
      upstream = await Simulator.open(arkProtocol)
      upstream.media = await packetVideo()
      upstream.moves = ['running']
      const main = { driver: 'ark', base_url: `${upstream.origin}/api/v3`, api_key: arkKey, in_flight_max: 1 }
      const routes = [{ model: seedance, upstream: 'main', upstream_model: 'dreamina-seedance-2-0-260128' }]
      writeFileSync(environment['FRAMEGATE_CONFIG'] ?? '', JSON.stringify({ upstreams: { main }, routes }))
      const running = await create(folder)
      await start(running)
      const body = { model: seedance, prompt: 'a kite over dunes', seconds: 5 }
      const firstId = await submit(body)
      await waitForStatus('processing', [firstId])
      const secondId = await submit(body)

      const restored = await copy(running, folder)
      upstream.moves = ['succeeded']
      for (const job of upstream.jobs) job.moves = ['succeeded']
      await waitForStatus('completed', [firstId, secondId])
      await server.kill()

      await start(restored)
      await waitForStatus('completed', [firstId])
      expect(await listHeldIds()).toEqual([secondId])
      await runCli('tasks', 'release', secondId)
      await waitForStatus('completed', [secondId])
      expect(upstream.jobs, 'jobs for two tasks').toHaveLength(2)
      expect(await server.stop()).toBe(0)
    })

    it.runIf(runsAllTests)('a restored copy runs tasks without upstream cost automatically', inTurn, async () => {
      upstream = await Simulator.open(openaiProtocol)
      writeFileSync(environment['FRAMEGATE_CONFIG'] ?? '', '{}')
      const running = await create(folder)
      await start(running)
      const id = await submit({ model: 'imgA-5.0', prompt: 'x', simulate: { queued_seconds: 600 } })
      const restored = await copy(running, folder)
      await server.kill()
      await start(restored)
      await waitForStatus('completed', [id])
      expect(await server.stop()).toBe(0)
    })
  })
}
