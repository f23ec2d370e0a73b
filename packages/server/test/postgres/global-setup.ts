import type { TestProject } from 'vitest/node'
import { findPostgresPrograms, startPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: there is no server, and the tests that want one are skipped. */
    postgresUrl: string | null
  }
}

/** One server for all test files of a run, each of which makes its own databases on it. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['FRAMEGATE_TEST_DATABASE_URL']
  if (given) {
    project.provide('postgresUrl', given)
    return undefined
  }
  const programs = findPostgresPrograms()
  if (programs === undefined) {
    const how =
      'install PostgreSQL 15 to 18 (Debian: apt-get install postgresql), or name a server by FRAMEGATE_TEST_DATABASE_URL'
    if (process.env['CI'] === 'true') throw new Error(`There is no PostgreSQL server on this machine: ${how}.`)
    console.warn(`Tests on PostgreSQL are skipped, for there is no server on this machine: ${how}.`)
    project.provide('postgresUrl', null)
    return undefined
  }
  const server = await startPostgresServer(programs)
  project.provide('postgresUrl', server.url)
  return () => server.remove()
}
