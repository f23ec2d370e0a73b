import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runFramegate } from '../../../cli/test/run-framegate.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('readiness of a service on PostgreSQL', () => {
  let folder: string
  let url: string
  let server: StartedServer

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-readiness-'))
    url = await newDatabase()
    server = await startServer(folder, { DATABASE_URL: url })
  })
  afterEach(async () => {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  async function readReadiness(): Promise<[status: number, message: string]> {
    const response = await server.fetch(`${new URL(server.baseUrl).origin}/readyz`)
    const body = (await response.json()) as { status?: string; error?: { message: string } }
    return [response.status, body.error?.message ?? body.status ?? '']
  }

  it('the service and the doctor report a database that serves reads and rejects writes', async () => {
    expect(await readReadiness()).toEqual([200, 'ready'])
    const refusal = "raise exception 'could not extend file: No space left on device' using errcode = '53100'"
    await rowsOf(url, `create function refuse() returns trigger language plpgsql as $$ begin ${refusal}; end $$`)
    await rowsOf(url, 'create trigger refusing before insert or update on settings for each row execute function refuse()')
    const denied = [503, 'The database is not writable (53100).']
    await vi.waitFor(async () => expect(await readReadiness()).toEqual(denied), { timeout: 20_000 })
    const env = { DATABASE_URL: url, FRAMEGATE_PORT: '0' }
    const doctor = await runFramegate(['doctor', '--json', '--no-render', '--url', server.baseUrl], { cwd: folder, env })
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; status: string; message: string }[] }
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([
      expect.objectContaining({ name: 'readiness', message: 'The database is not writable (53100)' }),
      expect.objectContaining({ name: 'database', message: expect.stringContaining('No space left on device') }),
    ])
    await rowsOf(url, 'drop trigger refusing on settings')
    await vi.waitFor(async () => expect(await readReadiness()).toEqual([200, 'ready']), { timeout: 20_000 })
  })
})
