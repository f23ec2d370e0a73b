import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { copyNewestPostgres } from './newest-postgres.ts'
import { startPostgresServer, withoutWaitingForDisks } from './postgres-server.ts'

/** Starts a server of the newest PostgreSQL version, for tests that also run on it. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const newest = copyNewestPostgres()
  if (newest === undefined) {
    const remedy = 'npm ci --prefix packages/server/test/postgres/newest'
    if (process.env['CI'] === 'true') throw new Error(`The newest PostgreSQL is not installed: ${remedy}.`)
    console.warn(`Tests on the newest PostgreSQL are skipped: ${remedy}.`)
    project.provide('postgresUrl', null)
    return undefined
  }
  const server = await startPostgresServer(newest.programs, { settings: withoutWaitingForDisks })
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.remove()
    rmSync(newest.folder, { recursive: true, force: true })
  }
}
