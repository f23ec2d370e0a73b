import type { AdminUpstream } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import { Time } from '../../parts/time.tsx'

export type FailureTimesProps = Pick<AdminUpstream, 'circuit' | 'failing_since' | 'tried_again_at'>

/** Time at which submits to an upstream or a route began to fail, and time of the next trial. */
export function FailureTimes({ circuit, failing_since, tried_again_at }: FailureTimesProps) {
  const t = texts.value.routing
  const nextTrialAt = circuit === 'open' ? tried_again_at : null
  return (
    <>
      {failing_since !== null && (
        <span>
          {t.firstError} <Time at={failing_since} />
        </span>
      )}
      {failing_since !== null && nextTrialAt !== null && ' · '}
      {nextTrialAt !== null && (
        <span>
          {t.nextTrial} <Time at={nextTrialAt} />
        </span>
      )}
    </>
  )
}
