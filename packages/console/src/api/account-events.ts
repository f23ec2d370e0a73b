import { apiUrl } from './call.ts'

type Listener = () => void

const eventTypes = 'task.processing,task.completed,task.failed'
/** Time after which a stream that the service or a proxy has rejected is opened again. */
const reopenAfterMs = 10_000
const listeners = new Set<Listener>()
let source: EventSource | null = null

/**
 * Keeps the stream open only while a component of a visible page listens, because browsers allow
 * few connections to a server.
 */
function openOrCloseStream(): void {
  const isWanted = listeners.size > 0 && document.visibilityState === 'visible'
  if (isWanted && source === null) {
    source = new EventSource(apiUrl(`/v2/events?types=${eventTypes}`))
    for (const type of eventTypes.split(',')) source.addEventListener(type, notify)
    source.addEventListener('error', reopenIfRejected)
  } else if (!isWanted && source !== null) {
    source.close()
    source = null
  }
}

/**
 * Replaces a stream that got an error response, for example during a restart or after the end of
 * the session. The browser reconnects only after a lost connection. The new stream does not contain
 * the events in between, so the listeners are called.
 */
function reopenIfRejected(): void {
  if (source?.readyState !== EventSource.CLOSED) return
  source = null
  setTimeout(() => {
    openOrCloseStream()
    notify()
  }, reopenAfterMs)
}

function notify(): void {
  for (const listener of listeners) listener()
}

/**
 * Calls `listener` when a task of the account has started or ended, and when events may have been
 * missed: when the page becomes visible again, or after a rejected stream. Returns a function that
 * removes the listener.
 */
export function onTaskChanged(listener: Listener): () => void {
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'visible') listener()
    openOrCloseStream()
  }
  listeners.add(listener)
  document.addEventListener('visibilitychange', onVisibilityChange)
  openOrCloseStream()
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', onVisibilityChange)
    openOrCloseStream()
  }
}
