import { apiUrl } from './call.ts'

type Listener = () => void

const eventTypes = 'task.processing,task.completed,task.failed'
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
  } else if (!isWanted && source !== null) {
    source.close()
    source = null
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

/**
 * Calls `listener` when a task of the account has started or ended, and when the page becomes
 * visible again. Returns a function that removes the listener.
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
