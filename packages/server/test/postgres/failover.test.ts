import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabaseProxy, type DatabaseProxy } from '../cuttable-proxy.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { createDatabase, findPostgresPrograms, rowsOf, startPostgresServer, type PostgresServer } from './postgres-server.ts'
import { hasPostgres } from './test-database.ts'

const programs = findPostgresPrograms() ?? ''
const tasksPath = '/v2/model-center/tasks'

describe.runIf(hasPostgres)('a failover to a standby server', () => {
  let folder: string
  let primary: PostgresServer
  let standby: PostgresServer
  let primaryUrl: string
  let standbyUrl: string
  let proxy: DatabaseProxy
  let service: StartedServer

  beforeEach(async () => {
    primary = await startPostgresServer(programs)
    primaryUrl = await createDatabase(primary.url, 'framegate')
    standby = await startPostgresServer(programs, { standbyOf: primary.url })
    standbyUrl = Object.assign(new URL(primaryUrl), { port: new URL(standby.url).port }).href
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-failover-'))
    proxy = await openDatabaseProxy(primaryUrl)
    service = await startServer(folder, { DATABASE_URL: proxy.url })
  })
  afterEach(async () => {
    await service.kill()
    await proxy[Symbol.asyncDispose]()
    await standby.remove()
    await primary.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const submit = (): Promise<Response> => service.request('POST', tasksPath, { model: 'imgA-5.0', prompt: 'x' })

  it(
    'a service leaves a primary that keeps running as soon as one of its connections reaches the new primary',
    { timeout: 60_000 },
    async () => {
      expect((await submit()).status).toBe(202)
      await Promise.all(Array.from({ length: 8 }, () => service.request('GET', `${tasksPath}?limit=1`)))
      await untilReplicated()
      await promote()
      await endWriteConnection()
      const task = (await (await submit()).json()) as Task
      expect((await service.request('GET', `${tasksPath}/${task.id}?wait=20`)).status).toBe(200)
      const ownConnections = "select pid from pg_stat_activity where application_name = 'framegate'"
      await vi.waitFor(async () => expect(await rowsOf(primaryUrl, ownConnections)).toEqual([]), { timeout: 10_000 })
    },
  )

  it('a service reports that the new primary lacks writes that the earlier one had confirmed', { timeout: 60_000 }, async () => {
    await untilReplicated()
    await rowsOf(standbyUrl, "alter system set primary_conninfo = ''")
    await rowsOf(standbyUrl, 'select pg_reload_conf()')
    await vi.waitFor(async () => expect(await rowsOf(standbyUrl, 'select from pg_stat_wal_receiver')).toEqual([]), {
      timeout: 20_000,
    })
    const task = (await (await submit()).json()) as Task
    await primary.crash()
    await promote()
    await vi.waitFor(() => expect(service.log()).toContain('the database lacks confirmed writes'), { timeout: 20_000 })
    expect((await service.request('GET', `${tasksPath}/${task.id}`)).status).toBe(404)
  })

  async function promote(): Promise<void> {
    await rowsOf(standbyUrl, 'select pg_promote()')
    proxy.moveTo(Number(new URL(standby.url).port))
  }

  async function untilReplicated(): Promise<void> {
    const [position] = await rowsOf<{ lsn: string }>(primaryUrl, 'select pg_current_wal_lsn() as lsn')
    await vi.waitUntil(
      async () => {
        const sql = { text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isEqual"', values: [position?.lsn] }
        return (await rowsOf<{ isEqual: boolean }>(standbyUrl, sql))[0]?.isEqual
      },
      { timeout: 20_000 },
    )
  }

  /** Ends the connection for writes. The other connections of the service continue. */
  async function endWriteConnection(): Promise<void> {
    const sql =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'framegate' and query like '%write_batch%'"
    await vi.waitFor(async () => expect(await rowsOf(primaryUrl, sql)).toHaveLength(1), { timeout: 20_000, interval: 20 })
  }
})
