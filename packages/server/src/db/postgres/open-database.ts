import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { ConnectionPool, isTlsError } from './connections.ts'
import { findMissing, migrate, type MigrationResult, type OnBlocked } from './migrate.ts'

const versionMin = 15
/** Maximum wait for a server that reports that it is starting. */
const startupMsMax = 30_000

export interface DatabaseSettings {
  url: string
  poolMax: number
}

/**
 * Connects to the database, checks the server, and calls `use` with a client that is closed
 * afterwards. Throws a `StartupError`, without the password, for every error.
 */
export async function openDatabase(
  { url, poolMax }: DatabaseSettings,
  use: (client: pg.Client, connections: ConnectionPool) => Promise<void>,
): Promise<ConnectionPool> {
  const connections = createPool(url, poolMax)
  let client: pg.Client | undefined
  try {
    client = await connectWhenReady(connections)
    await requireSupported(client, connections.displayUrl)
    await use(client, connections)
    return connections
  } catch (error) {
    await connections.end()
    throw error instanceof StartupError
      ? error
      : new StartupError(describeProblem(error, connections.displayUrl), { cause: withoutConfiguration(error) })
  } finally {
    await client?.end().catch(() => undefined)
  }
}

/**
 * Applies missing migrations. If the settings do not allow this at start-up, throws an error that
 * asks the operator to migrate.
 */
export async function prepareTables(
  client: pg.Client,
  displayUrl: string,
  migratesAtStart: boolean,
  onBlocked?: OnBlocked,
): Promise<MigrationResult> {
  if (migratesAtStart) return await migrate(client, onBlocked)
  const missing = await findMissing(client)
  if (missing.length === 0) return { applied: [], unknown: [] }
  throw new StartupError(
    `The database ${displayUrl} is missing ${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'} of this version (${missing.join(', ')}). Run framegate ` +
      'migrate, or set DATABASE_MIGRATE=start.',
  )
}

function createPool(url: string, poolMax: number): ConnectionPool {
  try {
    return new ConnectionPool(url, poolMax)
  } catch (error) {
    throw new StartupError('DATABASE_URL is invalid: a file that it names is missing, or one of its parts is malformed.', {
      cause: withoutConfiguration(error),
    })
  }
}

async function connectWhenReady(connections: ConnectionPool): Promise<pg.Client> {
  const untilMs = performance.now() + startupMsMax
  for (;;) {
    try {
      return await connections.connect()
    } catch (error) {
      if ((error as { code?: unknown }).code !== '57P03' || performance.now() > untilMs) throw error
      await setTimeout(250)
    }
  }
}

async function requireSupported(client: pg.Client, displayUrl: string): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; standby: boolean }>(`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as standby`)
  const [server] = rows
  if (server === undefined) throw new Error('the server did not report its version')
  if (server.version < versionMin) {
    throw new StartupError(`The database ${displayUrl} is PostgreSQL ${server.version}; Framegate needs ${versionMin} or later.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new StartupError(`The database ${displayUrl} has the encoding ${server.encoding}; create it with UTF8.`)
  }
  if (server.standby)
    throw new StartupError(`The database ${displayUrl} is a standby, which accepts no writes; name the primary.`)
}

function describeProblem(error: unknown, displayUrl: string): string {
  const { code, message = String(error) } = error as { code?: string; message?: string }
  const database = `The database ${displayUrl}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${database} cannot be reached: there is no host of that name (${code}).`
  if (code === '28000' && /no encryption/.test(message)) {
    return `${database} accepts only connections with TLS: add sslmode=verify-full to DATABASE_URL.`
  }
  if (code === '28P01' || code === '28000') return `${database} refuses the user or the password of DATABASE_URL.`
  if (code === '3D000') return `${database} does not exist on that server: create it first, for example with createdb.`
  if (code === '42501')
    return `${database} does not permit the user of DATABASE_URL to create tables (grant create on schema public).`
  if (code === '53300')
    return `${database} has no free connection: each process keeps up to DATABASE_POOL + 2 open. Raise max_connections of the server or lower DATABASE_POOL.`
  if (code === '57P03') return `${database} is still starting.`
  if (/does not support SSL/.test(message))
    return `${database} does not support TLS: remove sslmode from DATABASE_URL, or enable TLS on the server.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${database} has a certificate for another host: use the host name of the certificate in DATABASE_URL.`
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `${database} has a certificate that is not valid today (${code}): renew it, or correct this machine's clock.`
  }
  if (code !== undefined && isTlsError(error)) {
    return `${database} has a certificate that is not trusted here (${code}): set sslrootcert in DATABASE_URL to the file with its CA certificate.`
  }
  if (code === undefined || /^E[A-Z]+$/.test(code)) {
    return `${database} cannot be reached (${code ?? message}): is the server running, and does DATABASE_URL name its host and port?`
  }
  return `${database} cannot be used: ${message} (${code}).`
}

/**
 * Copies only the message and the code of an error, because a connection error may contain the
 * configuration with the password.
 */
function withoutConfiguration(error: unknown): Error {
  const { message = '', code } = error as { message?: string; code?: string }
  return Object.assign(new Error(message), code !== undefined && { code })
}
