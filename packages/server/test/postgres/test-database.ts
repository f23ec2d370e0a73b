import { inject } from 'vitest'
import { createDatabase } from './postgres-server.ts'

let databases = 0

/** Whether tests on PostgreSQL can run. If not, the test run reports why. */
export const hasPostgres = inject('postgresUrl') !== null

/** Creates an empty database, and returns its URL. */
export async function newDatabase(): Promise<string> {
  const url = inject('postgresUrl')
  if (url === null) throw new Error('there is no PostgreSQL server')
  databases += 1
  return createDatabase(url, `framegate_${process.pid}_${Date.now().toString(36)}_${databases}`)
}
