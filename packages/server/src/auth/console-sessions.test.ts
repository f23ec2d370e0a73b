import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openFastStore } from '../../test/fast-store.ts'
import type { Store } from '../db/store.ts'
import { systemClock } from '../lib/clock.ts'
import { createConsoleSessions } from './console-sessions.ts'

let dataDir: string
let store: Store
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-sessions-'))
  store = await openFastStore({ dataDir, clock: systemClock })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

const openSessions = () => createConsoleSessions(store, Buffer.alloc(32, 7), systemClock)

async function beginSession(sessions: ReturnType<typeof openSessions>) {
  const { token } = await sessions.begin('digest of a secret', true)
  const session = await sessions.find(token)
  if (session === null) throw new Error('the session was not found')
  return session
}

it('an open session is queried at most once a second, and its end by this process takes effect at once', async () => {
  const sessions = openSessions()
  const session = await beginSession(sessions)
  const select = vi.spyOn(store.database, 'selectFrom')
  for (let event = 0; event < 100; event++) expect(await session.isOpen()).toBe(true)
  expect(select.mock.calls.length).toBeLessThanOrEqual(2)
  select.mockRestore()
  await sessions.end(session)
  expect(await session.isOpen()).toBe(false)
})

it('the end of a session by another process takes effect within a second', async () => {
  const session = await beginSession(openSessions())
  expect(await session.isOpen()).toBe(true)
  await openSessions().end(session)
  await vi.waitFor(async () => expect(await session.isOpen()).toBe(false), { timeout: 1_500, interval: 100 })
})
