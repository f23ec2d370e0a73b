import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../packages/server/test/postgres/postgres-server.ts'
import type { Installation } from './installation.ts'

/** Hours that pass in each step. Events that have failed up to four times are then due. */
const stepMs = 6 * 3_600_000
const stepEveryMs = 10_000
/** Several steps, because the retry of a delivery that fails during a step is due only after the next step. */
const stepsMax = 6
const pollIntervalMs = 500

/**
 * Moves all times in the queue of deliveries back by the same duration, as if that time had passed.
 * The test cannot set the clock of the database, which the service uses.
 */
const passTimeStatements = [
  `update webhook_deliveries set due_at = due_at - ${stepMs} where due_at is not null`,
  `update webhook_endpoints set due_at = due_at - ${stepMs}, paused_until = greatest(0, paused_until - ${stepMs})
   where due_at is not null or paused_until > 0`,
]
const selectOpen = `
  select 'not distributed: ' || row_to_json(e) as description from events e where e.position is null
  union all
  select 'pending: ' || row_to_json(d) || ' for ' || row_to_json(w)
  from webhook_deliveries d
  join (select no, url, enabled, due_at, is_failing, paused_until, lease_until from webhook_endpoints) w on w.no = d.endpoint_no
  where d.status = 'pending'`

/**
 * Lets all receivers return after hours, and waits until every event has been delivered. Returns
 * descriptions of the events that have not been delivered.
 */
export async function returnReceivers({ receivers, databaseUrl }: Installation): Promise<string[]> {
  receivers.stopFaults()
  let open: { description: string }[] | undefined
  for (let steps = 0; steps < stepsMax && open?.length !== 0; steps++) {
    for (const statement of passTimeStatements) await rowsOf(databaseUrl, statement)
    const untilMs = Date.now() + stepEveryMs
    while (open?.length !== 0 && Date.now() < untilMs) {
      await sleep(pollIntervalMs)
      open = await rowsOf(databaseUrl, selectOpen)
    }
  }
  return (open ?? []).map(({ description }) => description)
}
