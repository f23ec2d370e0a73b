import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import { createLogger } from '../lib/logger.ts'
import { createReadiness } from './readiness.ts'

const scratchDir = mkdtempSync(path.join(tmpdir(), 'framegate-readiness-'))
afterAll(() => rmSync(scratchDir, { recursive: true, force: true }))

/**
 * Readiness with its own clock and a database that responds to reads. The test controls the writes.
 */
function openReadiness(write: () => Promise<void>, read: () => Promise<unknown> = async () => []) {
  let nowMs = 0
  const database = { selectFrom: () => ({ select: () => ({ execute: read }) }) } as never
  const checkWriteSpy = vi.fn(write)
  const readiness = createReadiness({
    store: { database, checkWrite: checkWriteSpy },
    mediaStore: { checkWrite: async () => {} },
    mediaCheckMs: 1_000,
    scratchDir,
    logger: createLogger('silent'),
    nowMs: () => nowMs,
  })
  return { checkWrite: checkWriteSpy, findErrors: () => readiness.findErrors(), passTime: (ms: number) => (nowMs += ms) }
}

it('the readiness check makes one write per second for any number of probes', async () => {
  const { checkWrite, findErrors, passTime } = openReadiness(async () => {})
  await Promise.all(Array.from({ length: 100 }, findErrors))
  for (let i = 0; i < 100; i++) await findErrors()
  expect(checkWrite).toHaveBeenCalledTimes(1)
  passTime(1_000)
  await findErrors()
  expect(checkWrite).toHaveBeenCalledTimes(2)
})

it('a read without a result is reported as slow after its timeout, even when the clock shows less', async () => {
  const { findErrors } = openReadiness(
    async () => {},
    () => new Promise<never>(() => {}),
  )
  expect(await findErrors()).toEqual(['The database is slow.'])
})

it('a write that does not finish is not repeated, and is reported after 30 seconds', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { checkWrite, findErrors, passTime } = openReadiness(() => promise)
  expect(await findErrors()).toEqual([])
  passTime(29_000)
  expect(await findErrors()).toEqual([])
  passTime(1_000)
  expect(await findErrors()).toEqual(['The database has not finished a write for 30 seconds.'])
  expect(checkWrite).toHaveBeenCalledTimes(1)
  resolve()
  await expect.poll(findErrors).toEqual([])
})

it('an unavailable database is reported after 30 seconds, and a rejected write immediately', async () => {
  let error: Error = new StoreUnavailable()
  const { findErrors, passTime } = openReadiness(() => Promise.reject(error))
  expect(await findErrors()).toEqual([])
  passTime(30_000)
  expect(await findErrors()).toEqual(['The database has not finished a write for 30 seconds.'])
  error = new StoreUnavailable({ reason: 'SQLITE_FULL' })
  passTime(1_000)
  expect(await findErrors()).toEqual(['The database is not writable (SQLITE_FULL).'])
})
