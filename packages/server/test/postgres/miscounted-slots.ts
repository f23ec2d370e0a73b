/**
 * Returns the slot pools whose count differs from the number of attempts and open forwarded requests
 * that hold a slot.
 */
export function findMiscountedSlots(select: (sql: string) => Promise<object[]>): Promise<object[]> {
  return select(
    `with counted as (
       select pool, sum(in_flight) as in_flight, sum(unconfirmed) as unconfirmed from slot_counts group by pool
     ), held as (
       select p.pool, count(*) as in_flight, sum(h.unconfirmed) as unconfirmed
       from (
         select route_pool, upstream_pool, (state in ('assigned', 'starting') and reply_lost = 0)::int as unconfirmed
         from task_attempts
         where holds_slot = 1
         union all
         select route_pool, upstream_pool, 0 from forwarded_requests where ended_at is null
       ) h
       cross join lateral (values (h.route_pool), (h.upstream_pool)) p (pool)
       where p.pool is not null
       group by p.pool
     )
     select *
     from counted c full join held h using (pool)
     where coalesce(c.in_flight, 0) <> coalesce(h.in_flight, 0) or coalesce(c.unconfirmed, 0) <> coalesce(h.unconfirmed, 0)`,
  )
}
