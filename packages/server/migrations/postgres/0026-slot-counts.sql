-- Slots that attempts hold are counted when they change, not when a process reads the number: that
-- took time in proportion to the number in flight. Each database session adds its changes to rows of
-- its own, so sessions do not wait for each other. The count of a pool is the sum of its rows. It is
-- exact while the row of the pool is locked.
--
-- Each batch of an earlier process locks the row of its writer first. This migration therefore waits
-- here for the batches that run, and cannot deadlock with them.
lock table writers in access exclusive mode;

create table slot_counts (
  pool bigint not null,
  -- `pg_backend_pid()` of the session.
  session_pid bigint not null,
  in_flight bigint not null,
  unconfirmed bigint not null,
  primary key (pool, session_pid)
) with (fillfactor = 20);
create type slot_change as (pool bigint, in_flight bigint, unconfirmed bigint);

-- The pools of an attempt while it holds a slot. `unconfirmed` is 1 until an upstream accepts the
-- attempt, or until the response to its submit is lost.
create function held_slots(state text, reply_lost bigint, holds_slot bigint, route_pool bigint, upstream_pool bigint)
returns table (pool bigint, unconfirmed int) language sql immutable as $$
  select p.pool, (state in ('assigned', 'starting') and reply_lost = 0)::int
  from (values (route_pool), (upstream_pool)) p (pool)
  where holds_slot = 1 and p.pool is not null
$$;

create function count_slots() returns trigger language plpgsql as $$
declare
  changes slot_change[];
begin
  if tg_op = 'INSERT' then
    changes := array(
      select row(s.pool, count(*), sum(s.unconfirmed))::slot_change
      from new_rows r cross join lateral held_slots(r.state, r.reply_lost, r.holds_slot, r.route_pool, r.upstream_pool) s
      group by s.pool
    );
  elsif tg_op = 'DELETE' then
    changes := array(
      select row(s.pool, -count(*), -sum(s.unconfirmed))::slot_change
      from old_rows r cross join lateral held_slots(r.state, r.reply_lost, r.holds_slot, r.route_pool, r.upstream_pool) s
      group by s.pool
    );
  else
    changes := array(
      select row(c.pool, sum(c.slots), sum(c.slots * c.unconfirmed))::slot_change
      from (
        select s.pool, s.unconfirmed, 1 as slots
        from new_rows r cross join lateral held_slots(r.state, r.reply_lost, r.holds_slot, r.route_pool, r.upstream_pool) s
        union all
        select s.pool, s.unconfirmed, -1
        from old_rows r cross join lateral held_slots(r.state, r.reply_lost, r.holds_slot, r.route_pool, r.upstream_pool) s
      ) c
      group by c.pool
    );
  end if;
  insert into slot_counts as c
  select d.pool, pg_backend_pid(), d.in_flight, d.unconfirmed
  from unnest(changes) d
  where d.in_flight <> 0 or d.unconfirmed <> 0
  order by d.pool
  on conflict (pool, session_pid) do update
  set in_flight = c.in_flight + excluded.in_flight, unconfirmed = c.unconfirmed + excluded.unconfirmed;
  return null;
end $$;
create trigger task_attempts_inserted after insert on task_attempts referencing new table as new_rows
  for each statement execute function count_slots();
create trigger task_attempts_updated after update on task_attempts referencing new table as new_rows old table as old_rows
  for each statement execute function count_slots();
create trigger task_attempts_deleted after delete on task_attempts referencing old table as old_rows
  for each statement execute function count_slots();

insert into slot_counts
select s.pool, 0, count(*), sum(s.unconfirmed)
from task_attempts a cross join lateral held_slots(a.state, a.reply_lost, a.holds_slot, a.route_pool, a.upstream_pool) s
group by s.pool;

-- Adds the counts of sessions that have ended to those of this session. Writers call it when they
-- connect.
create function merge_slot_counts() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1936486260);
  with ended as (
    delete from slot_counts c
    where c.session_pid not in (select a.pid from pg_stat_activity a)
    returning c.*
  )
  insert into slot_counts as c
  select e.pool, pg_backend_pid(), sum(e.in_flight), sum(e.unconfirmed)
  from ended e
  group by e.pool
  order by e.pool
  on conflict (pool, session_pid) do update
  set in_flight = c.in_flight + excluded.in_flight, unconfirmed = c.unconfirmed + excluded.unconfirmed;
end $$;

-- The function of 0018, which counted the attempts.
create or replace function slots_taken(of_pool bigint) returns table (in_flight bigint, unconfirmed bigint) language sql stable as $$
  select coalesce(sum(a.in_flight), 0)::bigint, coalesce(sum(a.unconfirmed), 0)::bigint
  from (
    select c.in_flight, c.unconfirmed from slot_counts c where c.pool = of_pool
    union all
    select 1, 0 from forwarded_requests f where f.upstream_pool = of_pool and f.ended_at is null
    union all
    select 1, 0 from forwarded_requests f where f.route_pool = of_pool and f.ended_at is null
  ) a
$$;

drop index task_attempts_upstream_slots_idx, task_attempts_route_slots_idx;
-- Ended attempts whose jobs still hold slots.
create index task_attempts_ended_slots_idx on task_attempts (ended_at)
where holds_slot = 1 and upstream_pool is not null and ended_at is not null;
-- The steps of an attempt change no indexed column. While the page of the row has space, they
-- therefore write to no index.
alter table task_attempts set (fillfactor = 60);
alter table tasks set (fillfactor = 70);
-- Compression takes longer than writing the text to the log.
alter table writers alter column result set storage external;
