import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../packages/server/test/postgres/postgres-server.ts'
import type { Installation } from './installation.ts'

/** Simulated time per step. After one step, events that have failed up to five times are due. */
const stepMs = 6 * 3_600_000
/** Real time between two steps. */
const stepIntervalMs = 10_000
/**
 * Maximum number of steps. A delivery that fails during a step is due again only after the next
 * one.
 */
const stepsMax = 6
const pollIntervalMs = 500

/**
 * Moves all times in the delivery queue back by the same duration, as if that time had passed. The
 * service uses the clock of the database, which the test cannot set.
 */
const passTimeStatements = [
  `update webhook_deliveries set due_at = due_at - ${stepMs} where due_at is not null`,
  `update webhook_endpoints set due_at = due_at - ${stepMs}, paused_until = greatest(0, paused_until - ${stepMs})
   where due_at is not null or paused_until > 0`,
]
const selectUndelivered = `
  select 'not distributed: ' || row_to_json(e) as description from events e where e.position is null
  union all
  select 'pending: ' || row_to_json(d) || ' for ' || row_to_json(w)
  from webhook_deliveries d
  join (select no, url, enabled, due_at, is_failing, paused_until, lease_until from webhook_endpoints) w on w.no = d.endpoint_no
  where d.status = 'pending'`

/**
 * Brings all receivers back online after a simulated outage of several hours, and waits until every
 * event is delivered. Returns descriptions of undelivered events.
 */
export async function restoreReceivers({ receivers, databaseUrl }: Installation): Promise<string[]> {
  receivers.stopFaults()
  let undelivered: { description: string }[] | undefined
  for (let steps = 0; steps < stepsMax && undelivered?.length !== 0; steps++) {
    for (const statement of passTimeStatements) await rowsOf(databaseUrl, statement)
    const untilMs = Date.now() + stepIntervalMs
    while (undelivered?.length !== 0 && Date.now() < untilMs) {
      await sleep(pollIntervalMs)
      undelivered = await rowsOf(databaseUrl, selectUndelivered)
    }
  }
  return (undelivered ?? []).map(({ description }) => description)
}
