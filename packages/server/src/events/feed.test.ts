import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { recordedEventTypes } from '@framegate/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openFastStore } from '../../test/fast-store.ts'
import type { Store } from '../db/store.ts'
import { newAccount } from '../db/store-under-test.ts'
import { systemClock } from '../lib/clock.ts'
import { createFeeds } from './feed.ts'

let dataDir: string
let store: Store
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-feed-'))
  store = await openFastStore({ dataDir, clock: systemClock })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

it('the streams of an account share a read of its events, unless the read began before the latest events', async () => {
  const no = await newAccount(store, 'a', 1_000)
  const addEvent = (position: number) =>
    store.database
      .insertInto('events')
      .values({ account_no: no, type: 'credits.low', task_no: null, id: `evt_${position}`, at: 0, position })
      .execute()
  let notify: (() => void) | undefined
  const credits = vi.fn(() => Promise.resolve('{}'))
  const feeds = createFeeds(
    {
      database: store.database,
      writeAtomically: store.writeAtomically.bind(store),
      onEventsDistributed(listen) {
        notify = () => listen({ accountNos: [no], hasDeliveries: false })
        return () => {}
      },
    },
    { credits, task: () => Promise.resolve(null) },
    systemClock,
  )
  const types = new Set(recordedEventTypes)

  await addEvent(1)
  const shared = await Promise.all(Array.from({ length: 50 }, () => feeds.read(no, 0, types)))
  expect(credits).toHaveBeenCalledOnce()
  expect(shared.map(({ events }) => events.length)).toEqual(Array(50).fill(1))

  const { promise: held, resolve: release } = Promise.withResolvers<string>()
  credits.mockReturnValueOnce(held)
  const earlierRead = feeds.read(no, 0, types)
  await vi.waitUntil(() => credits.mock.calls.length === 2)
  await addEvent(2)
  notify?.()
  expect((await feeds.read(no, 0, types)).position).toBe(2)
  release('{}')
  expect((await earlierRead).position).toBe(1)
  feeds[Symbol.dispose]()
})
