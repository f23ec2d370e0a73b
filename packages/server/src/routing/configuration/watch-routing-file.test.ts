import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { fileStamp } from '../../config/file-stamp.ts'
import { noRoutingFile, readRoutingFile, type RoutingFile } from '../../config/routing-file.ts'
import type { Logger } from '../../lib/logger.ts'
import { watchRoutingFile } from './watch-routing-file.ts'

let folder: string
let file: string
let watch: AsyncDisposable | undefined
/** Errors of the next loads, in their order. Further loads succeed. */
let loadErrors: Error[]
let loadCount: number
let logLines: string[]

function loggerOf(log: (level: string) => (fields: unknown, message?: string) => void): Logger {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a logger is
  // used
  return { info: log('info'), warn: log('warn'), error: log('error') } as unknown as Logger
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-watch-'))
  file = path.join(folder, 'framegate.yaml')
  writeFileSync(file, 'routes: []\n')
  loadErrors = []
  loadCount = 0
  logLines = []
  const log = (level: string) => (fields: unknown, message?: string) =>
    void logLines.push(`${level} ${message ?? String(fields)}`)
  watch = watchRoutingFile(
    { ...noRoutingFile(folder), path: file, label: 'framegate.yaml', stamp: fileStamp(file) },
    {
      load: async () => {
        loadCount += 1
        const error = loadErrors.shift()
        if (error !== undefined) throw error
      },
      logger: loggerOf(log),
      checkIntervalMs: 5,
    },
  )
})
afterEach(async () => {
  await watch?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

it('a changed routing file is loaded again until that succeeds, and its failure is logged once', async () => {
  loadErrors = [1, 2, 3].map(() => new Error('the database cannot be reached'))
  writeFileSync(file, 'routes: []\n# changed\n')
  await vi.waitFor(() => expect(logLines.at(-1)).toMatch(/^info/), { timeout: 10_000 })
  await setTimeout(50)
  expect(loadCount).toBe(4)
  expect(logLines.map((line) => line.split(' ')[0])).toEqual(['warn', 'info'])
})

it('a changed routing file with errors is not loaded again until it changes', async () => {
  loadErrors = [new ConfigError(['line 2 is wrong'])]
  writeFileSync(file, 'routes: []\n# changed\n')
  await vi.waitFor(() => expect(logLines).toHaveLength(1), { timeout: 10_000 })
  await setTimeout(50)
  expect([loadCount, logLines[0]?.split(' ')[0]]).toEqual([1, 'error'])
  writeFileSync(file, 'routes: []\n# changed again\n')
  await vi.waitFor(() => expect(logLines.at(-1)).toMatch(/^info/), { timeout: 10_000 })
  expect(loadCount).toBe(2)
})

it('a file of models that changes between its reading and the watch is loaded', async () => {
  await watch?.[Symbol.asyncDispose]()
  mkdirSync(path.join(folder, 'models'))
  writeFileSync(path.join(folder, 'models/a.yaml'), 'id: a\n')
  const routingFile = readRoutingFile(
    'routes: []\n',
    { env: {}, label: 'framegate.yaml', path: file, stamp: fileStamp(file), baseDir: folder },
    [],
  )
  writeFileSync(path.join(folder, 'models/a.yaml'), 'id: changed\n')
  const loaded: RoutingFile[] = []
  watch = watchRoutingFile(routingFile, {
    load: async (changed) => void loaded.push(changed),
    logger: loggerOf(() => () => {}),
    checkIntervalMs: 5,
  })
  await vi.waitFor(() => expect(loaded[0]?.models[0]?.documents).toEqual({ id: 'changed' }), { timeout: 10_000 })
})

it('a model file that has not changed is not read again', async () => {
  await watch?.[Symbol.asyncDispose]()
  mkdirSync(path.join(folder, 'models'))
  for (const name of ['a', 'b']) writeFileSync(path.join(folder, `models/${name}.yaml`), `id: ${name}\n`)
  const routingFile = readRoutingFile(
    'routes: []\n',
    { env: {}, label: 'framegate.yaml', path: file, stamp: fileStamp(file), baseDir: folder },
    [],
  )
  const loaded: RoutingFile[] = []
  watch = watchRoutingFile(routingFile, {
    load: async (changed) => void loaded.push(changed),
    logger: loggerOf(() => () => {}),
    checkIntervalMs: 5,
  })
  writeFileSync(path.join(folder, 'models/a.yaml'), 'id: changed\n')
  await vi.waitFor(() => expect(loaded[0]?.models[0]?.documents).toEqual({ id: 'changed' }), { timeout: 10_000 })
  expect(loaded[0]?.models[1]).toBe(routingFile.models[1])
})
