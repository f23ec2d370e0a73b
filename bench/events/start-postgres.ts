import {
  findPostgresPrograms,
  startPostgresServer,
  type PostgresServer,
} from '../../packages/server/test/postgres/postgres-server.ts'

/** Starts a PostgreSQL server. Undefined if this machine has none. */
export async function startPostgres(): Promise<(Pick<PostgresServer, 'url'> & AsyncDisposable) | undefined> {
  const programs = findPostgresPrograms()
  if (programs === undefined) return undefined
  const server = await startPostgresServer(programs, { settings: ['shared_buffers=1GB'] })
  return { url: server.url, [Symbol.asyncDispose]: () => server.remove() }
}
