import { afterEach, expect, it, vi } from 'vitest'
import { openHttpService } from './http-service.ts'

/** Time that the shutdown of a process may take. */
const shutdownMs = 40_000

afterEach(() => {
  vi.useRealTimers()
})

it('the HTTP layer waits for other threads until they have responded to all requests', async () => {
  const drained = Promise.withResolvers<void>()
  await using service = await openHttpService({ drainThreads: () => drained.promise })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let state = 'open'
  const closing = service.app.close().then(
    () => (state = 'closed'),
    (error: unknown) => (state = `failed: ${String(error)}`),
  )
  await vi.advanceTimersByTimeAsync(shutdownMs)
  expect(state).toBe('open')
  drained.resolve()
  await closing
  expect(state).toBe('closed')
})
