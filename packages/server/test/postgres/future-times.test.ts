import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServer, type StartedServer } from '../started-server.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'
const monthMs = 30 * 24 * 60 * 60 * 1000

describe.runIf(hasPostgres)('after the clock of the database server was a month ahead', () => {
  let folder: string
  let server: StartedServer

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-future-'))
  })
  afterEach(async () => {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  it('tasks that a killed process had leased or delayed continue at the next start', { timeout: 120_000 }, async () => {
    const url = await newDatabase()
    server = await startServer(folder, { DATABASE_URL: url })
    const submit = async (simulate: object) => {
      const response = await server.request('POST', tasksPath, { model: 'imgA-5.0', prompt: 'x', simulate })
      return ((await response.json()) as Task).id
    }
    const read = async (id: string) => (await (await server.request('GET', `${tasksPath}/${id}`)).json()) as Task
    const ids = [await submit({ seconds: 5 }), await submit({ queued_seconds: 5 })]
    await vi.waitFor(async () => expect((await read(ids[0] ?? '')).status).toBe('processing'), { timeout: 10_000 })
    await server.kill()
    await rowsOf(url, `update tasks set due_at = due_at + ${monthMs}, lease_until = lease_until + ${monthMs}`)

    server = await startServer(folder, { DATABASE_URL: url })
    await vi.waitFor(
      async () => {
        for (const id of ids) expect((await read(id)).status).toBe('completed')
      },
      { timeout: 90_000, interval: 500 },
    )
    expect(await server.stop()).toBe(0)
  })
})
