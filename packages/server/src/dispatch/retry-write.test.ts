import { expect, it, vi } from 'vitest'
import { StoreClosed, StoreUnavailable } from '../db/store-unavailable.ts'
import { createLogger } from '../lib/logger.ts'
import { retryWrite } from './retry-write.ts'
import type { RunningTask } from './running-task.ts'

const running = { detachedSignal: new AbortController().signal } as RunningTask
const dependencies = { logger: createLogger('silent') }

it('a write is retried until the store accepts it', async () => {
  const write = vi.fn(async () => 'stored').mockRejectedValueOnce(new StoreUnavailable())
  expect(await retryWrite(running, dependencies, write)).toBe('stored')
  expect(write).toHaveBeenCalledTimes(2)
})

it('a write is not retried once the store is closed', async () => {
  const closedError = new StoreClosed('a thread of the database has stopped')
  const write = vi.fn(() => Promise.reject(closedError))
  await expect(retryWrite(running, dependencies, write)).rejects.toBe(closedError)
  expect(write).toHaveBeenCalledOnce()
})
