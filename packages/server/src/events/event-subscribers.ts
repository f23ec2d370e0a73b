import { sql, type Kysely } from 'kysely'
import type { Statement } from '../db/statement.ts'
import type { Tables } from '../db/tables.ts'
import { allEventTypeBits, taskWebhookBit } from '../db/event-type-bits.ts'

/**
 * Locks the subscriptions of an account until the commit. Every change of subscriptions begins with
 * this statement, so that it sees the rows that earlier changes have written.
 */
export function lockSubscriptions(database: Kysely<Tables>, accountNo: number): Statement {
  return sql`
    insert into event_feeds (account_no) values (${accountNo})
    on conflict (account_no) do update set last_position = event_feeds.last_position`.compile(database)
}

/**
 * Recomputes which types of events are recorded for an account. They depend on its webhooks, on
 * whether any of its tasks ever had a `webhook_url`, and on its streams.
 */
export function recountSubscriptions(database: Kysely<Tables>, accountNo: number, nowMs: number): Statement {
  return sql`
    insert into event_subscribers (account_no, types)
    select a.no,
      coalesce((
        select max(w.types & 1) + max(w.types & 2) + max(w.types & 4) + max(w.types & 8)
        from webhook_endpoints w
        where w.account_no = a.no and w.kind = 'account' and w.enabled = 1 and w.deleted_at is null
      ), 0)
      | case when exists (
          select 1 from webhook_endpoints w where w.account_no = a.no and w.kind = 'task'
        ) then ${sql.lit(taskWebhookBit)} else 0 end
      | case when exists (
          select 1 from event_feeds f where f.account_no = a.no and f.open_until > ${nowMs}
        ) then ${sql.lit(allEventTypeBits)} else 0 end
    from accounts a
    where a.no = ${accountNo}
    on conflict (account_no) do update set types = excluded.types`.compile(database)
}
