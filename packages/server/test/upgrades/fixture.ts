import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dayAt, dayMs } from '../../src/lib/dates.ts'
import { createdAtMsOfNo, firstTaskNoAt, taskIdOf, taskNoOf, taskTailOf } from '../../src/identity/task-id.ts'
import { openaiKey } from '../upstreams/openai.protocol.ts'
import { upstreamModel, type FilledInstallation } from './fill-installation.ts'

/** An installation of an earlier version at the moment when it was killed. */
export interface Fixture extends FilledInstallation {
  /** Period in which the installation was filled, within a single day. */
  fromMs: number
  untilMs: number
  upstreamOrigin: string
  /** Small files in base64, by path in the media folder. */
  media: Record<string, string>
  /** Number of the newest migration. */
  migrations: number
  /** Tables in an order that satisfies foreign keys. */
  tables: Record<string, Rows>
}

export interface Rows {
  columns: string[]
  rows: (string | number | null)[][]
}

export const fixtureFolder = new URL('fixtures/', import.meta.url)
export const operatorKey = `fg_live_${'k'.repeat(43)}`
export const encryptionKey = Buffer.alloc(32, 5).toString('base64')

const idPattern = /task_[0-9a-f]{32}/g
const msPattern = /\b\d{13}\b/g
const taskNoPattern = /\b\d{15,16}\b/g
/** Rows also contain later times, such as the expiry of a grant. */
const laterMs = 400 * dayMs
/**
 * Time since the kill, after the rows have been shifted. It is a little shorter than a lease, so
 * that the newest leases of the killed service still have to expire.
 */
const agoMs = 25_000

export function routingOf(origin: string) {
  return {
    upstreams: { main: { driver: 'openai', base_url: `${origin}/v1`, api_key: openaiKey, in_flight_max: 3 } },
    routes: [{ model: upstreamModel, upstream: 'main', upstream_model: 'sora-2', cost: { per_second: 0.1 } }],
  }
}

/**
 * Reads a fixture and shifts all times, including those in ids, as if the service had recently been
 * killed.
 */
export function readFixture(name: string, upstreamOrigin: string): Fixture {
  const text = readFileSync(new URL(name, fixtureFolder), 'utf8')
  const { fromMs, untilMs, upstreamOrigin: oldOrigin } = JSON.parse(text) as Fixture
  const latestMs = Date.now() - agoMs
  // Usage is aggregated by day, so all tasks must stay within one.
  const isOneDay = dayAt(latestMs - (untilMs - fromMs)) === dayAt(latestMs)
  const shiftMs = (isOneDay ? latestMs : dayAt(latestMs) * dayMs - 1) - untilMs
  const shiftedText = text
    .replaceAll(idPattern, (id) => taskIdOf(shiftedNo(taskNoOf(id)), taskTailOf(id)))
    .replaceAll(taskNoPattern, (no) => String(shiftedNo(Number(no))))
    .replaceAll(msPattern, (ms) => String(isBetween(Number(ms), untilMs + laterMs) ? Number(ms) + shiftMs : ms))
    .replaceAll(oldOrigin, upstreamOrigin)
    // The simulated task ran for long enough to be in progress at the kill. It starts again.
    .replaceAll(String.raw`{\"seconds\":20}`, String.raw`{\"seconds\":2}`)
  const fixture = JSON.parse(shiftedText) as Fixture
  for (const { columns, rows } of Object.values(fixture.tables)) {
    const dayColumn = columns.indexOf('day')
    if (dayColumn !== -1) for (const row of rows) row[dayColumn] = dayAt(fromMs + shiftMs)
  }
  return fixture

  function shiftedNo(no: number): number {
    return isBetween(createdAtMsOfNo(no), untilMs) ? no + firstTaskNoAt(shiftMs) - firstTaskNoAt(0) : no
  }

  function isBetween(ms: number, lastMs: number): boolean {
    return ms >= fromMs && ms <= lastMs
  }
}

/** Writes the media files of a fixture into a data folder. */
export function writeMedia({ media }: Fixture, dataDir: string): void {
  for (const [name, base64] of Object.entries(media)) {
    const file = path.join(dataDir, 'media', name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(base64, 'base64'))
  }
}

/** Returns the migrations that the fixture's version had applied. */
export function migrationsOf({ migrations }: Fixture, folder: URL): { number: number; name: string; sql: string }[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ number: Number(name.slice(0, 4)), name, sql: readFileSync(new URL(name, folder), 'utf8') }))
    .filter(({ number }) => number <= migrations)
}
