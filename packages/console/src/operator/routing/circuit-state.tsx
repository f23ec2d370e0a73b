import type { AdminRoute, AdminUpstream } from '@framegate/contract'
import { exactTime, texts } from '../../language/language.ts'

/** Shows whether an upstream or a route is in service, or else why not. */
export function CircuitState({
  part,
}: {
  part: Pick<AdminUpstream, 'circuit' | 'fault' | 'tried_again_at'> & Partial<Pick<AdminRoute, 'busy'>>
}) {
  const t = texts.value.routing
  const { circuit, fault, tried_again_at, busy } = part
  if (fault !== null) {
    return (
      <>
        <span class="badge bad">{t.disabled}</span>
        <p class="small">{fault}</p>
      </>
    )
  }
  if (circuit === 'closed')
    return <span class={busy === true ? 'badge warn' : 'badge good'}>{busy === true ? t.busy : t.inService}</span>
  return (
    <>
      <span class="badge bad">{t.circuits[circuit]}</span>
      {tried_again_at !== null && <p class="muted small">{t.triedAgain(exactTime(tried_again_at))}</p>}
    </>
  )
}
