// Fills an installation of another version and writes its rows and media as a fixture:
//   node packages/server/test/upgrades/write-fixture.ts CHECKOUT sqlite|postgres NAME
// CHECKOUT is a folder with that version and its packages. The engine `postgres` needs an installed
// PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { packetVideo } from '../packet-video.ts'
import { createDatabase, findPostgresPrograms, startPostgresServer } from '../postgres/postgres-server.ts'
import { openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator } from '../upstreams/simulator.ts'
import { fillInstallation } from './fill-installation.ts'
import { fixtureFolder, operatorKey, routingOf, encryptionKey, type Fixture, type Rows } from './fixture.ts'

/**
 * Maximum size of a media file in a fixture. Larger files, such as images from the embedded driver,
 * are omitted.
 */
const mediaBytesMax = 100_000

const [checkout = '', engine, name = ''] = process.argv.slice(2)
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('usage: write-fixture.ts CHECKOUT sqlite|postgres NAME')
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-fixture-'))
await using resources = new AsyncDisposableStack()
resources.defer(() => rmSync(folder, { recursive: true, force: true }))
const upstream = resources.use(await Simulator.open(openaiProtocol))
upstream.media = await packetVideo({ frames: 24, framesPerSecond: 6 })
const url = engine === 'postgres' ? await newDatabase() : undefined
const fromMs = Date.now()

const configFile = path.join(folder, 'framegate.yaml')
writeFileSync(configFile, JSON.stringify(routingOf(upstream.origin)))
const child = spawn(process.execPath, [path.join(checkout, 'packages/cli/bin/framegate.js'), 'serve'], {
  env: {
    ...process.env,
    FRAMEGATE_DATA_DIR: path.join(folder, 'data'),
    FRAMEGATE_PORT: '0',
    FRAMEGATE_BOOTSTRAP_KEY: operatorKey,
    FRAMEGATE_CONFIG: configFile,
    FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
    FRAMEGATE_SEAL_KEY: encryptionKey,
    ...(url && { DATABASE_URL: url }),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
resources.defer(() => void child.kill('SIGKILL'))
const installation = await fillInstallation({ baseUrl: await readBaseUrl(), operatorKey, upstream })
const exited = once(child, 'exit')
child.kill('SIGKILL')
await exited

const fixture: Fixture = {
  fromMs,
  untilMs: Date.now(),
  upstreamOrigin: upstream.origin,
  ...installation,
  media: readMedia(),
  migrations: 0,
  tables: {},
}
await (url === undefined ? readSqlite() : readPostgres(url))
writeFileSync(new URL(`${name}.${engine}.json`, fixtureFolder), formatFixture(fixture))

async function newDatabase(): Promise<string> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('this needs a PostgreSQL server (Debian: apt-get install postgresql)')
  const server = await startPostgresServer(programs)
  resources.defer(() => server.remove())
  return createDatabase(server.url, 'fixture')
}

async function readBaseUrl(): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const readyUrl = /Framegate is ready at (\S+)/.exec(line)?.[1]
    if (readyUrl !== undefined) return readyUrl
  }
  throw new Error('the service ended before it was ready')
}

function readMedia(): Record<string, string> {
  const root = path.join(folder, 'data', 'media')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, file: path.join(root, name) }))
    .filter(({ file }) => statSync(file).isFile() && statSync(file).size < mediaBytesMax)
  return Object.fromEntries(files.map(({ name, file }) => [name, readFileSync(file, 'base64')]))
}

async function readSqlite(): Promise<void> {
  const database = new DatabaseSync(path.join(folder, 'data', 'framegate.db'))
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by rowid").all()
  for (const table of tables) addRows(String(table['name']), database.prepare(`select * from ${String(table['name'])}`).all())
  database.close()
}

async function readPostgres(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(a.attname, ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by c.oid, c.relname
     order by c.oid`,
  )
  for (const { name: table, columns } of tables) {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `select to_json(t) as row from (select ${columns} from ${table}) t`,
    )
    addRows(
      table,
      rows.map(({ row }) => row),
    )
  }
  await client.end()
}

function addRows(table: string, rows: Record<string, unknown>[]): void {
  if (table === 'migrations') fixture.migrations = Math.max(...rows.map((row) => Number(row['number'])))
  else if (rows[0] !== undefined) {
    const columns = Object.keys(rows[0])
    fixture.tables[table] = { columns, rows: rows.map((row) => columns.map((column) => row[column])) as Rows['rows'] }
  }
}

/** Formats the fixture with one row per line. */
function formatFixture({ tables, ...rest }: Fixture): string {
  const texts = Object.entries(tables).map(
    ([table, { columns, rows }]) =>
      `${JSON.stringify(table)}: {"columns": ${JSON.stringify(columns)}, "rows": [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}`,
  )
  return `${JSON.stringify(rest, null, 1).slice(0, -2)},\n "tables": {\n${texts.join(',\n')}\n}}\n`
}
