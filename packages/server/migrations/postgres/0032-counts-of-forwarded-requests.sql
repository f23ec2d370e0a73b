-- Open requests for token models are counted when they change, like tasks (0026, 0030). Each hold
-- counted the slots that they take, and added up their prices for a limit on spending: that took time
-- in proportion to their number, and each claim of a task on the same upstream counted them again.
--
-- Each batch of an earlier process locks the row of its writer first. This migration therefore waits
-- here for the batches that run, and cannot deadlock with them. Neither can it deadlock with a change
-- of requests, because it waits for the end of those that run before it changes anything.
lock table writers in access exclusive mode;
lock table forwarded_requests in access exclusive mode;

-- Adds an open request to the counts, or subtracts it if the sign is -1. `held` of in_flight_counts
-- contains its price, but it is not a task in flight.
create function count_forwarded(request forwarded_requests, sign int) returns void language plpgsql as $$
begin
  if request.ended_at is not null then return; end if;
  insert into slot_counts as c
  select p.pool, pg_backend_pid(), sign * count(*), 0
  from (values (request.route_pool), (request.upstream_pool)) p (pool)
  where p.pool is not null
  group by p.pool
  order by p.pool
  on conflict (pool, session_pid) do update set in_flight = c.in_flight + excluded.in_flight;
  insert into in_flight_counts as c
  values (request.account_no, coalesce(request.key_no, 0), day_of_task(request.no), 0, 0, sign * request.price)
  on conflict (account_no, key_no, day) do update set held = c.held + excluded.held;
end $$;

create function count_forwarded_changes() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_forwarded(old, -1); end if;
  if tg_op <> 'DELETE' then perform count_forwarded(new, 1); end if;
  return null;
end $$;
-- Row triggers with a condition, because a renewal of leases changes thousands of rows that stay open.
create trigger forwarded_requests_inserted after insert on forwarded_requests
  for each row execute function count_forwarded_changes();
create trigger forwarded_requests_updated after update on forwarded_requests
  for each row when (
    (old.ended_at is null) <> (new.ended_at is null)
    or (old.route_pool, old.upstream_pool, old.account_no, old.key_no, old.price)
      is distinct from (new.route_pool, new.upstream_pool, new.account_no, new.key_no, new.price)
  )
  execute function count_forwarded_changes();
create trigger forwarded_requests_deleted after delete on forwarded_requests
  for each row execute function count_forwarded_changes();

insert into slot_counts as c
select p.pool, 0, count(*), 0
from forwarded_requests f cross join lateral (values (f.route_pool), (f.upstream_pool)) p (pool)
where f.ended_at is null and p.pool is not null
group by p.pool
on conflict (pool, session_pid) do update set in_flight = c.in_flight + excluded.in_flight;
insert into in_flight_counts as c
select f.account_no, coalesce(f.key_no, 0), day_of_task(f.no), 0, 0, sum(f.price)
from forwarded_requests f
where f.ended_at is null
group by 1, 2, 3
on conflict (account_no, key_no, day) do update set held = c.held + excluded.held;

-- The function of 0026, which counted the open requests.
create or replace function slots_taken(of_pool bigint) returns table (in_flight bigint, unconfirmed bigint) language sql stable as $$
  select coalesce(sum(c.in_flight), 0)::bigint, coalesce(sum(c.unconfirmed), 0)::bigint
  from slot_counts c
  where c.pool = of_pool
$$;

-- The function of 0030, which added up the prices of the open requests.
create or replace function spent_since(of_account bigint, of_key bigint, since_day bigint) returns bigint language plpgsql stable as $$
begin
  return
    coalesce((select sum(u.charged) from usage u where u.account_no = of_account and u.key_no = of_key and u.day >= since_day), 0)
    + coalesce((
      select sum(c.held) from in_flight_counts c where c.account_no = of_account and c.key_no = of_key and c.day >= since_day
    ), 0);
end $$;

drop index forwarded_requests_route_pool_idx, forwarded_requests_upstream_pool_idx;
