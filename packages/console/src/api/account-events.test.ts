import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onTaskChanged } from './account-events.ts'

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeEventSource[] = []
  readyState = 1

  constructor() {
    super()
    FakeEventSource.opened.push(this)
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('document', page)
  FakeEventSource.opened = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('an account stream that the service has rejected is opened again, and its listeners are called', () => {
  const listener = vi.fn()
  const stop = onTaskChanged(listener)
  try {
    const [source] = FakeEventSource.opened
    source?.close()
    source?.dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(60_000)
    expect([FakeEventSource.opened.length, listener.mock.calls.length]).toEqual([2, 1])
  } finally {
    stop()
  }
})

it('an account stream that reconnects by itself is not opened again', () => {
  const stop = onTaskChanged(() => undefined)
  try {
    FakeEventSource.opened[0]?.dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(60_000)
    expect(FakeEventSource.opened.length).toBe(1)
  } finally {
    stop()
  }
})

it('an account stream is closed when its last listener is removed, and stays closed', () => {
  const stop = onTaskChanged(() => undefined)
  const [source] = FakeEventSource.opened
  source?.close()
  source?.dispatchEvent(new Event('error'))
  stop()
  vi.advanceTimersByTime(60_000)
  expect([source?.readyState, FakeEventSource.opened.length]).toEqual([FakeEventSource.CLOSED, 1])
})
