import { apiUrl } from './call.ts'

type Listener = () => void

const types = 'task.processing,task.completed,task.failed'
const listeners = new Set<Listener>()
let source: EventSource | null = null

/**
 * Keeps the stream open only while a component of a visible page listens, because browsers allow
 * few connections to a server.
 */
function adapt(): void {
  const isWanted = listeners.size > 0 && document.visibilityState === 'visible'
  if (isWanted && source === null) {
    source = new EventSource(apiUrl(`/v2/events?types=${types}`))
    for (const type of types.split(',')) source.addEventListener(type, notify)
  } else if (!isWanted && source !== null) {
    source.close()
    source = null
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

/**
 * Calls `listener` when a task of the account has changed, and when the page becomes visible again.
 */
export function onTaskChanged(listener: Listener): () => void {
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') listener()
    adapt()
  }
  listeners.add(listener)
  document.addEventListener('visibilitychange', onVisible)
  adapt()
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', onVisible)
    adapt()
  }
}
