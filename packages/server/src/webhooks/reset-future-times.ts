import { sql } from 'kysely'
import type { QueueStore } from './delivery-queue.ts'
import { deliveryDelayMsMax, pauseDurationMsMax } from './retry-schedule.ts'

const endpointsPerRead = 500
/** Maximum number of deliveries of an endpoint that one commit resets. The next call resets more. */
const deliveriesPerEndpoint = 1_000
/** Allows for differences between the clocks of processes. */
const toleranceMs = 3 * 60_000

export interface ResetOptions {
  nowMs: number
  leaseMs: number
  /**
   * Whether the clock was set back since the previous call. All pauses are then reset, and the due
   * times of deliveries whose last attempt is in the future, even if these times are short enough
   * to be valid now.
   */
  isSetBack: boolean
  signal: AbortSignal
}

/**
 * Resets due times, pauses and leases that end later than any that can be written now. They were
 * written before the clock was set back. The deliveries become due, and the pauses end. A lease ends
 * after its usual duration, because its worker may still be running and renews it before then.
 */
export async function resetFutureTimes(store: QueueStore, { nowMs, leaseMs, isSetBack, signal }: ResetOptions): Promise<void> {
  const { database } = store
  const dueAtMsMax = nowMs + deliveryDelayMsMax + toleranceMs
  const pausedUntilMsMax = isSetBack ? nowMs : nowMs + pauseDurationMsMax + toleranceMs
  const leaseUntilMsMax = nowMs + leaseMs + toleranceMs
  const wasAttemptedLater = sql`exists (
    select 1 from webhook_attempts a where a.delivery_no = d.no and a.number = d.attempts and a.at > ${nowMs}
  )`
  const isTooLate = isSetBack
    ? sql`d.due_at > ${nowMs} and (d.due_at > ${dueAtMsMax} or ${wasAttemptedLater})`
    : sql`d.due_at > ${dueAtMsMax}`
  // An endpoint without a due time has no delivery to send, and no lease.
  const { rows } = await sql<{ no: number }>`
    select e.no
    from webhook_endpoints e
    where e.is_failing in (0, 1) and e.due_at is not null and (
      e.lease_until > ${leaseUntilMsMax} or e.paused_until > ${pausedUntilMsMax}
      or exists (select 1 from webhook_deliveries d where d.endpoint_no = e.no and ${isTooLate})
    )
    limit ${endpointsPerRead}`.execute(database)
  for (const { no } of rows) {
    if (signal.aborted) return
    const pausedUntil = sql`case when paused_until > ${pausedUntilMsMax} then 0 else paused_until end`
    await store.writeAtomically(
      sql`
        update webhook_endpoints
        set lease_until = case when lease_until > ${leaseUntilMsMax} then ${nowMs + leaseMs} else lease_until end,
          paused_until = ${pausedUntil},
          due_at = case when ${pausedUntil} > ${nowMs} then ${pausedUntil} else ${nowMs} end
        where no = ${no} and due_at is not null`.compile(database),
      sql`
        update webhook_deliveries
        set due_at = ${nowMs}
        where no in (
          select d.no from webhook_deliveries d
          where d.endpoint_no = ${no} and ${isTooLate}
          limit ${deliveriesPerEndpoint}
        )`.compile(database),
    )
  }
}
