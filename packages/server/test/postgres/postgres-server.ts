import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../free-port.ts'

/** A PostgreSQL server for tests, in its own temporary folder. */
export interface PostgresServer {
  /** URL of its `postgres` database, with a password that must not appear in any message. */
  url: string
  /** Process whose descendants are those of the running server. */
  readonly pid: number | undefined
  /** Simulates a power failure: the server recovers from its log at the next start. */
  crash(): Promise<void>
  /** Ends every session, like a restart by an operator. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops the server and deletes its folder. */
  remove(): Promise<void>
}

export interface PostgresOptions {
  settings?: readonly string[]
  /** Paths of a certificate and its key in PEM format. If given, the server requires TLS. */
  secured?: { certificate: string; key: string }
  /** URL of a primary server. If given, the new server is its standby, with streaming replication. */
  standbyOf?: string
}

/**
 * Settings of a server that no test crashes: commits do not wait for the disk, and the hundreds of
 * test databases are not vacuumed.
 */
export const withoutWaitingForDisks = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'] as const

const programFolders = ['/usr/lib/postgresql', '/usr/local/pgsql/bin', '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin']
const isRoot = process.getuid?.() === 0
const startMsMax = 30_000

/**
 * Returns the folder with the programs of a PostgreSQL server: FRAMEGATE_TEST_POSTGRES_BIN, or the
 * newest version on this machine. Undefined if there is none.
 */
export function findPostgresPrograms(): string | undefined {
  const configuredFolder = process.env['FRAMEGATE_TEST_POSTGRES_BIN']
  if (configuredFolder) return configuredFolder
  const [packaged = '', ...others] = programFolders
  const versions = existsSync(packaged) ? readdirSync(packaged).toSorted((a, b) => Number(b) - Number(a)) : []
  return [...versions.map((version) => path.join(packaged, version, 'bin')), ...others].find((folder) =>
    existsSync(path.join(folder, 'initdb')),
  )
}

/**
 * Creates and starts a server, as durable as in production. Its parent is a shell that stops the
 * server when the pipe to the shell closes, however the tests end. Another shell then removes the
 * folder (`removeIfUnused`).
 */
export async function startPostgresServer(
  programs: string,
  { settings = [], secured, standbyOf }: PostgresOptions = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-postgres-'))
  const port = await freePort()
  if (isRoot) chownSync(folder, ...postgresUser())
  const data = path.join(folder, 'data')
  const [command = '', ...args] = commandAsPostgres(
    ...(standbyOf === undefined
      ? [path.join(programs, 'initdb'), '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale', 'C']
      : [path.join(programs, 'pg_basebackup'), '-d', standbyOf, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']),
    '-D',
    data,
  )
  execFileSync(command, args, { stdio: 'pipe' })
  const tls = secured === undefined ? [] : requireTls(folder, secured)
  const server = [
    path.join(programs, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    ...['listen_addresses=127.0.0.1', 'max_connections=200', ...tls, ...settings].flatMap((setting) => ['-c', setting]),
  ]
  const url = `postgres://postgres:planted-secret@127.0.0.1:${port}/postgres${secured === undefined ? '' : '?sslmode=no-verify'}`
  let shell: ChildProcess | undefined

  async function start(): Promise<void> {
    // The shell reads the signal from the pipe. The end of the pipe means an immediate stop.
    const script = `"$@" >>"${folder}/log" 2>&1 & pid=$!; read -r signal || signal=QUIT; kill -"$signal" $pid; wait $pid`
    shell = spawn('/bin/sh', ['-c', script, 'sh', ...commandAsPostgres(...server)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    await untilAccepting(url)
  }

  async function end(signal: string): Promise<void> {
    const running = shell
    shell = undefined
    if (running === undefined) return
    const exited = once(running, 'exit')
    running.stdin?.end(`${signal}\n`)
    await exited
  }

  const removeFolder = async (): Promise<void> => {
    await end('QUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  removeIfUnused(folder)
  await start()
  return {
    url,
    get pid() {
      return shell?.pid
    },
    start,
    crash: () => end('QUIT'),
    stop: () => end('INT'),
    remove: removeFolder,
  }
}

/** Creates a new database on the server: a copy of the template, by default an empty one. */
export async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // The default strategy writes each page of the new database to the log, which takes three times
    // the CPU time.
    await client.query(`create database ${name} template ${template} strategy file_copy`)
  } finally {
    await client.end()
  }
  const created = new URL(url)
  created.pathname = `/${name}`
  return created.href
}

/** Returns the rows of a query that bypasses the service. */
export async function rowsOf<Row extends pg.QueryResultRow>(url: string, sql: string | pg.QueryConfig): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/**
 * Starts a shell that waits for the end of the tests and removes the folder, because killed tests
 * cannot.
 */
export function removeIfUnused(folder: string): void {
  const shell = spawn('/bin/sh', ['-c', 'cat >/dev/null; sleep 2; rm -rf "$1"', 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.unref()
  ;(shell.stdin as unknown as { unref?: () => void } | null)?.unref?.()
}

/**
 * Copies the certificate and the key, because the server rejects a key that others can read.
 * Returns the settings of the server for TLS.
 */
function requireTls(folder: string, { certificate, key }: NonNullable<PostgresOptions['secured']>): string[] {
  const files = {
    ssl_cert_file: readFileSync(certificate),
    ssl_key_file: readFileSync(key),
    hba_file: 'hostssl all all all trust\n',
  }
  const settings = Object.entries(files).map(([name, text]) => {
    const file = path.join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (isRoot) chownSync(file, ...postgresUser())
    return `${name}=${file}`
  })
  return ['ssl=on', ...settings]
}

/** Runs a command as another user, because the server refuses to run as root. */
function commandAsPostgres(...command: string[]): string[] {
  return isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...command] : command
}

function postgresUser(): [number, number] {
  const numbers = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' })))
  const [user = 0, group = 0] = numbers
  return [user, group]
}

async function untilAccepting(url: string): Promise<void> {
  const untilMs = Date.now() + startMsMax
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > untilMs) throw error
      await setTimeout(50)
    }
  }
}
