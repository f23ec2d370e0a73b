import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { TaskObject } from '@framegate/contract'
import { eventTypeBits } from '../event-type-bits.ts'
import type { EventRow } from '../tables/event-tables.ts'
import type { WriteOutcome } from '../write-operations.ts'

type RecordedEvent = Pick<EventRow, 'account_no' | 'type' | 'task_no' | 'id' | 'at'> & { no: number; object: TaskObject | null }

/**
 * Distributes recorded events in the same way as the function `distribute_events` on PostgreSQL.
 */
export function createDistributeEvents(database: DatabaseSync): (countMax: number) => WriteOutcome {
  const readRecorded = database.prepare(`
    select e.no, e.account_no, e.type, e.task_no, e.id, e.at, t.object
    from events e left join tasks t on t.no = e.task_no
    where e.position is null
    order by e.no
    limit ? + 0`)
  const nextPosition = database.prepare(`
    insert into event_feeds (account_no, last_position) values (?, 1)
    on conflict (account_no) do update set last_position = last_position + 1
    returning last_position`)
  const setPosition = database.prepare('update events set position = ? where no = ?')
  const findWebhooks = database.prepare(`
    select no from webhook_endpoints
    where account_no = ? and kind = 'account' and enabled = 1 and deleted_at is null and types & ? > 0 and (format = 'standard' or ? = 'video')
    order by no`)
  const takeTaskWebhook = database.prepare('delete from task_webhooks where task_no = ? returning endpoint_no, url')
  const insertDelivery = database.prepare(`
    insert into webhook_deliveries (id, endpoint_no, type, event_id, event_at, task_no, url, created_at, due_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (task_no, type, endpoint_no) where task_no is not null do nothing`)
  const setDue = database.prepare(`
    update webhook_endpoints
    set due_at = min(coalesce(due_at, max(?1, paused_until)), max(?1, paused_until))
    where no = ?2`)

  return (countMax) => {
    const events = readRecorded.all(countMax) as unknown as RecordedEvent[]
    const accountNos = new Set<number>()
    let hasDeliveries = false

    function deliver({ type, id, at, task_no }: RecordedEvent, endpointNo: number, url: string | null): void {
      const deliveryId = `whd_${randomUUID().replaceAll('-', '')}`
      insertDelivery.run(deliveryId, endpointNo, type, id, at, task_no, url, at, at)
      setDue.run(at, endpointNo)
      hasDeliveries = true
    }

    for (const event of events) {
      accountNos.add(event.account_no)
      setPosition.run(Number(nextPosition.get(event.account_no)?.['last_position']), event.no)
      for (const { no } of findWebhooks.all(event.account_no, eventTypeBits[event.type], event.object)) {
        deliver(event, Number(no), null)
      }
      if (event.task_no === null || event.type === 'task.processing') continue
      const taskWebhook = takeTaskWebhook.get(event.task_no)
      if (taskWebhook !== undefined) deliver(event, Number(taskWebhook['endpoint_no']), String(taskWebhook['url']))
    }
    return { kind: 'distributed', distributed: { eventCount: events.length, accountNos: [...accountNos], hasDeliveries } }
  }
}
