import type { AdminRoute, AdminUpstream } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import { FailureTimes } from './failure-times.tsx'

interface CircuitStateProps {
  /** The upstream or the route. */
  part: Pick<AdminUpstream, 'circuit' | 'fault' | 'tried_again_at' | 'failing_since' | 'last_error'> &
    Partial<Pick<AdminRoute, 'busy'>>
}

/**
 * Shows the state of an upstream or a route. If its submits fail, also shows the last error, the
 * time of the first error, and what the operator can do.
 */
export function CircuitState({ part }: CircuitStateProps) {
  const t = texts.value.routing
  const { circuit, fault, failing_since, last_error, busy } = part
  if (fault !== null) {
    return (
      <>
        <span class="badge bad">{t.disabled}</span>
        <p class="small">{fault}</p>
      </>
    )
  }
  if (circuit === 'closed' && failing_since === null)
    return <span class={busy === true ? 'badge warn' : 'badge good'}>{busy === true ? t.busy : t.inService}</span>
  return (
    <div class="circuit-state">
      <span class={circuit === 'closed' ? 'badge warn' : 'badge bad'}>{t.circuits[circuit]}</span>
      {last_error !== null && <p class="small">{last_error}</p>}
      <p class="muted small">
        <FailureTimes {...part} />
      </p>
      <p class="muted small">{t.circuitHint}</p>
    </div>
  )
}
