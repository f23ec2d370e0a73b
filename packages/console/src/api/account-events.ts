import { apiUrl } from './call.ts'

type Listener = () => void

const types = 'task.processing,task.completed,task.failed'
const listeners = new Set<Listener>()
let source: EventSource | null = null

/** Opens the stream while a part of a visible page listens. Browsers allow few connections to a server. */
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

/** Calls `listener` after each change of a task of the account, and when the page is shown again. */
export function onTaskChanged(listener: Listener): () => void {
  const shown = (): void => {
    if (document.visibilityState === 'visible') listener()
    adapt()
  }
  listeners.add(listener)
  document.addEventListener('visibilitychange', shown)
  adapt()
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', shown)
    adapt()
  }
}
