import type { TestProject } from 'vitest/node'
import { findPostgresPrograms, startPostgresServer, withoutWaitingForDisks } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server. Null if there is none; tests that need one are then skipped. */
    postgresUrl: string | null
  }
}

/** Starts one server for all test files of a run. Each file creates its own databases on it. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const configuredUrl = process.env['FRAMEGATE_TEST_DATABASE_URL']
  if (configuredUrl) {
    project.provide('postgresUrl', configuredUrl)
    return undefined
  }
  const programs = findPostgresPrograms()
  if (programs === undefined) {
    const remedy =
      'install PostgreSQL 15 to 18 (Debian: apt-get install postgresql), or name a server by FRAMEGATE_TEST_DATABASE_URL'
    if (process.env['CI'] === 'true') throw new Error(`There is no PostgreSQL server on this machine: ${remedy}.`)
    console.warn(`Tests on PostgreSQL are skipped, because there is no server on this machine: ${remedy}.`)
    project.provide('postgresUrl', null)
    return undefined
  }
  const server = await startPostgresServer(programs, { settings: withoutWaitingForDisks })
  project.provide('postgresUrl', server.url)
  return () => server.remove()
}
