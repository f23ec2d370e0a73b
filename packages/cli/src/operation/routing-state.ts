import { timeText } from '../terminal/time.ts'

/** How an upstream or a route is doing. */
export interface RoutingState {
  source: 'file' | 'api' | 'built_in'
  fault: string | null
  in_flight: number
  circuit: 'closed' | 'open' | 'half_open'
  tried_again_at: number | null
  busy?: boolean
  busy_until?: number | null
}

export function stateText({ fault, circuit, tried_again_at, busy = false, busy_until = null }: RoutingState): string {
  if (fault !== null) return 'set aside'
  if (circuit === 'open') return `out of order until ${timeText(tried_again_at)}`
  if (circuit === 'half_open') return 'on trial'
  if (busy_until !== null) return `busy until ${timeText(busy_until)}`
  return busy ? 'full' : 'ok'
}

export function sourceText({ source }: RoutingState): string {
  return { file: 'the file', api: 'the API', built_in: 'built in' }[source]
}
