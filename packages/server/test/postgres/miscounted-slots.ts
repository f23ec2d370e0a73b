/** Returns the slot pools whose count differs from the number of attempts that hold a slot. */
export function findMiscountedSlots(select: (sql: string) => Promise<{ pool: string }[]>): Promise<{ pool: string }[]> {
  return select(
    `with counted as (
       select pool, sum(in_flight) as in_flight, sum(unconfirmed) as unconfirmed from slot_counts group by pool
     ), held as (
       select p.pool, count(*) as in_flight,
         count(*) filter (where a.state in ('assigned', 'starting') and a.reply_lost = 0) as unconfirmed
       from task_attempts a cross join lateral (values (a.route_pool), (a.upstream_pool)) p (pool)
       where a.holds_slot = 1 and p.pool is not null
       group by p.pool
     )
     select *
     from counted c full join held h using (pool)
     where coalesce(c.in_flight, 0) <> coalesce(h.in_flight, 0) or coalesce(c.unconfirmed, 0) <> coalesce(h.unconfirmed, 0)`,
  )
}
