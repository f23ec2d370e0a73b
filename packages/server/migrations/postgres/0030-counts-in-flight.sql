-- Tasks in flight are counted when they change, not when a limit is checked: that took time in
-- proportion to the number in flight, for each submit with a limit. Limits on spending added up the
-- prices of the same tasks.
--
-- Each batch of an earlier process locks the row of its writer first. This migration therefore waits
-- here for the batches that run, and cannot deadlock with them.
lock table writers in access exclusive mode;

-- The unfinished tasks of each key by the day on which they were accepted; key 0: without a key.
-- `tasks` and `credits` are in flight and count toward limits: tasks that wait or are on hold do not.
-- `held` is the price of all. A batch that accepts or ends tasks locks their accounts first, so it
-- rarely waits for these rows in addition.
create table in_flight_counts (
  account_no bigint not null,
  key_no bigint not null,
  day bigint not null,
  tasks bigint not null,
  credits bigint not null,
  held bigint not null,
  primary key (account_no, key_no, day)
) with (fillfactor = 50);
create type in_flight_change as (account_no bigint, key_no bigint, day bigint, tasks bigint, credits bigint, held bigint);

-- The tasks in flight of each brand. A brand has many accounts, and is locked only if it has limits.
-- Each database session therefore has a row of its own, as in `slot_counts`.
create table brand_in_flight_counts (
  brand_no bigint not null,
  -- `pg_backend_pid()` of the session.
  session_pid bigint not null,
  tasks bigint not null,
  credits bigint not null,
  primary key (brand_no, session_pid)
) with (fillfactor = 20);

-- An account that is moved to another brand takes its tasks along.
create function move_brand_counts() returns trigger language plpgsql as $$
begin
  insert into brand_in_flight_counts as c
  select b.no, pg_backend_pid(), b.sign * sum(i.tasks), b.sign * sum(i.credits)
  from in_flight_counts i cross join (values (old.brand_no, -1), (new.brand_no, 1)) b (no, sign)
  where i.account_no = new.no
  group by b.no, b.sign
  order by b.no
  on conflict (brand_no, session_pid) do update set tasks = c.tasks + excluded.tasks, credits = c.credits + excluded.credits;
  return null;
end $$;
create trigger accounts_brand_changed after update of brand_no on accounts
for each row when (old.brand_no <> new.brand_no) execute function move_brand_counts();

create function count_in_flight_changes() returns trigger language plpgsql as $$
declare
  changes in_flight_change[];
begin
  if tg_op = 'INSERT' then
    changes := array(
      select row(
        n.account_no, coalesce(n.key_no, 0), day_of_task(n.no), sum((n.waits = 0)::int), sum((n.waits = 0)::int * n.price), sum(n.price)
      )::in_flight_change
      from new_rows n
      where n.ended_at is null
      group by n.account_no, coalesce(n.key_no, 0), day_of_task(n.no)
    );
  elsif tg_op = 'DELETE' then
    changes := array(
      select row(
        o.account_no, coalesce(o.key_no, 0), day_of_task(o.no), -sum((o.waits = 0)::int), -sum((o.waits = 0)::int * o.price), -sum(o.price)
      )::in_flight_change
      from old_rows o
      where o.ended_at is null
      group by o.account_no, coalesce(o.key_no, 0), day_of_task(o.no)
    );
  else
    changes := array(
      select row(
        c.account_no, c.key_no, c.day, sum(c.tasks), sum(c.tasks * c.price), sum(c.unfinished * c.price)
      )::in_flight_change
      from (
        select n.account_no, coalesce(n.key_no, 0) as key_no, day_of_task(n.no) as day, n.price, (n.waits = 0)::int as tasks, 1 as unfinished
        from new_rows n
        where n.ended_at is null
        union all
        select o.account_no, coalesce(o.key_no, 0), day_of_task(o.no), o.price, -(o.waits = 0)::int, -1
        from old_rows o
        where o.ended_at is null
      ) c
      group by c.account_no, c.key_no, c.day
      having sum(c.tasks) <> 0 or sum(c.tasks * c.price) <> 0 or sum(c.unfinished * c.price) <> 0
    );
  end if;
  if cardinality(changes) = 0 then return null; end if;
  insert into in_flight_counts as c
  select d.*
  from unnest(changes) d
  order by d.account_no, d.key_no, d.day
  on conflict (account_no, key_no, day) do update
  set tasks = c.tasks + excluded.tasks, credits = c.credits + excluded.credits, held = c.held + excluded.held;
  insert into brand_in_flight_counts as c
  select b.brand_no, pg_backend_pid(), sum(b.tasks), sum(b.credits)
  from (
    -- A join could read all accounts, while the planner has statistics of an empty table.
    select (select a.brand_no from accounts a where a.no = d.account_no) as brand_no, d.tasks, d.credits from unnest(changes) d
  ) b
  where b.brand_no is not null
  group by b.brand_no
  having sum(b.tasks) <> 0 or sum(b.credits) <> 0
  order by b.brand_no
  on conflict (brand_no, session_pid) do update set tasks = c.tasks + excluded.tasks, credits = c.credits + excluded.credits;
  return null;
end $$;
create trigger tasks_inserted after insert on tasks referencing new table as new_rows
  for each statement execute function count_in_flight_changes();
create trigger tasks_updated after update on tasks referencing new table as new_rows old table as old_rows
  for each statement execute function count_in_flight_changes();
create trigger tasks_deleted after delete on tasks referencing old table as old_rows
  for each statement execute function count_in_flight_changes();

insert into in_flight_counts
select t.account_no, coalesce(t.key_no, 0), day_of_task(t.no), count(*) filter (where t.waits = 0),
  coalesce(sum(t.price) filter (where t.waits = 0), 0), sum(t.price)
from tasks t
where t.ended_at is null
group by 1, 2, 3;
insert into brand_in_flight_counts
select a.brand_no, 0, sum(c.tasks), sum(c.credits)
from in_flight_counts c join accounts a on a.no = c.account_no
group by a.brand_no;

-- The function of 0026. It now also adds the counts of brands.
create or replace function merge_slot_counts() returns void language plpgsql as $$
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
  with ended as (
    delete from brand_in_flight_counts c
    where c.session_pid not in (select a.pid from pg_stat_activity a)
    returning c.*
  )
  insert into brand_in_flight_counts as c
  select e.brand_no, pg_backend_pid(), sum(e.tasks), sum(e.credits)
  from ended e
  group by e.brand_no
  order by e.brand_no
  on conflict (brand_no, session_pid) do update set tasks = c.tasks + excluded.tasks, credits = c.credits + excluded.credits;
end $$;

-- The function of 0029, which counted the tasks.
create or replace function count_in_flight(owner text, of_no bigint, of_account bigint, out tasks bigint, out credits bigint)
language plpgsql stable as $$
begin
  if owner = 'brand' then
    select coalesce(sum(c.tasks), 0), coalesce(sum(c.credits), 0) into tasks, credits
    from brand_in_flight_counts c
    where c.brand_no = of_no;
  elsif owner = 'account' then
    select coalesce(sum(c.tasks), 0), coalesce(sum(c.credits), 0) into tasks, credits
    from in_flight_counts c
    where c.account_no = of_account;
  else
    select coalesce(sum(c.tasks), 0), coalesce(sum(c.credits), 0) into tasks, credits
    from in_flight_counts c
    where c.account_no = of_account and c.key_no = of_no;
  end if;
end $$;

-- The function of 0003, which counted the tasks.
create or replace function fullness_of(of_account bigint, of_key bigint, of_price bigint) returns json language plpgsql as $$
declare
  limits record;
  counted record;
  passed json;
begin
  for limits in
    select l.* from in_flight_limits(of_account, of_key) l order by array_position(array['key', 'account', 'brand'], l.owner)
  loop
    select * into counted from count_in_flight(limits.owner, limits.no, of_account);
    passed := passed_limit(limits.owner, counted.tasks, counted.credits, limits.tasks_max, limits.credits_max, of_price);
    if passed is not null then return passed; end if;
  end loop;
  return null;
end $$;

-- The function of 0018, which added up the prices of the tasks.
create or replace function spent_since(of_account bigint, of_key bigint, since_day bigint) returns bigint language plpgsql stable as $$
begin
  return
    coalesce((select sum(u.charged) from usage u where u.account_no = of_account and u.key_no = of_key and u.day >= since_day), 0)
    + coalesce((
      select sum(c.held) from in_flight_counts c where c.account_no = of_account and c.key_no = of_key and c.day >= since_day
    ), 0)
    + coalesce((
      select sum(f.price)
      from forwarded_requests f
      where f.account_no = of_account and f.key_no = of_key and f.ended_at is null and f.no >= first_task_no_at(since_day * 86400000)
    ), 0);
end $$;

-- The function of 0029, which went through all queues again for each admitted task. It now admits one
-- task of each account in a pass, in the same order, and leaves out accounts and brands that are at
-- their limit of tasks. It removes the mark of waiting tasks in one statement at the end, so that they
-- are counted once. Until then, their virtual start marks the admitted tasks.
create or replace function admit_waiting(of_accounts bigint[], of_brands bigint[], now_ms bigint) returns void language plpgsql as $$
declare
  line record;
  head record;
  is_full boolean;
  -- Whether another pass could admit more tasks.
  goes_on boolean;
  limits record;
  counted record;
  limit_name text;
  is_at_limit boolean;
  full_brands bigint[] := '{}';
  admitted_accounts bigint[];
  admitted bigint[] := '{}';
  -- What each owner of a limit has in flight, counted at the first check and increased since.
  tasks_in_flight jsonb := '{}';
  credits_in_flight jsonb := '{}';
  -- The last admitted task of each queue, after which searches begin, and the number of this admission.
  last_admitted jsonb := '{}';
  last_served jsonb := '{}';
begin
  if not exists (select from wait_queues) then return; end if;
  loop
    goes_on := false;
    admitted_accounts := '{}';
    for line in
      select q.account_no, q.key_no, q.brand_no, q.name
      from (
        select l.account_no, l.key_no, a.brand_no, n.name, coalesce((last_served ->> n.name)::bigint, l.served) as served
        from wait_queues l
        join accounts a on a.no = l.account_no
        cross join lateral (select l.account_no || '/' || l.key_no as name) n
        where (of_accounts is null or l.account_no = any (of_accounts) or a.brand_no = any (of_brands))
          and a.brand_no <> all (full_brands)
          and (
            a.tasks_in_flight_max is null
            or a.tasks_in_flight_max > (select coalesce(sum(c.tasks), 0) from in_flight_counts c where c.account_no = a.no)
          )
      ) q
      order by
        max(q.served) over (partition by q.account_no) nulls first,
        q.served nulls first,
        (
          select min(t.no)
          from tasks t
          where t.waits = 1 and t.virtual_start is null and t.account_no = q.account_no and coalesce(t.key_no, 0) = q.key_no
            and t.no > coalesce((last_admitted ->> q.name)::bigint, 0)
        )
    loop
      continue when line.brand_no = any (full_brands) or line.account_no = any (admitted_accounts);
      select no, price, lane into head
      from tasks
      where waits = 1 and virtual_start is null and account_no = line.account_no and coalesce(key_no, 0) = line.key_no
        and no > coalesce((last_admitted ->> line.name)::bigint, 0)
      order by no
      limit 1;
      if not found and last_admitted ? line.name then
        -- Another process may have created a task with a lower number in the meantime.
        last_admitted := last_admitted - line.name;
        goes_on := true;
        continue;
      end if;
      if not found then
        delete from wait_queues where account_no = line.account_no and key_no = line.key_no;
        continue;
      end if;
      is_full := false;
      for limits in select * from in_flight_limits(line.account_no, nullif(line.key_no, 0)) loop
        limit_name := limits.owner || '/' || limits.no;
        if not tasks_in_flight ? limit_name then
          select * into counted from count_in_flight(limits.owner, limits.no, line.account_no);
          tasks_in_flight := tasks_in_flight || jsonb_build_object(limit_name, counted.tasks);
          credits_in_flight := credits_in_flight || jsonb_build_object(limit_name, counted.credits);
        end if;
        is_full := is_full or passed_limit(
          limits.owner, (tasks_in_flight ->> limit_name)::bigint, (credits_in_flight ->> limit_name)::bigint,
          limits.tasks_max, limits.credits_max, head.price
        ) is not null;
        if limits.owner = 'brand' and (tasks_in_flight ->> limit_name)::bigint >= limits.tasks_max then
          full_brands := full_brands || limits.no;
        end if;
      end loop;
      continue when is_full;
      update tasks
      set virtual_start = greatest(served_virtual_start(head.lane), last_virtual_start(line.account_no, head.lane)) + 1, due_at = now_ms
      where no = head.no and waits = 1;
      if not found then
        -- Another process has ended it in the meantime.
        goes_on := true;
        continue;
      end if;
      is_at_limit := false;
      for limits in select * from in_flight_limits(line.account_no, nullif(line.key_no, 0)) loop
        limit_name := limits.owner || '/' || limits.no;
        tasks_in_flight := tasks_in_flight
          || jsonb_build_object(limit_name, (tasks_in_flight ->> limit_name)::bigint + 1);
        credits_in_flight := credits_in_flight
          || jsonb_build_object(limit_name, (credits_in_flight ->> limit_name)::bigint + head.price);
        continue when limits.owner = 'key' or ((tasks_in_flight ->> limit_name)::bigint >= limits.tasks_max) is not true;
        is_at_limit := true;
        if limits.owner = 'brand' then full_brands := full_brands || limits.no; end if;
      end loop;
      goes_on := goes_on or not is_at_limit;
      last_admitted := last_admitted || jsonb_build_object(line.name, head.no);
      last_served := last_served || jsonb_build_object(line.name, nextval('admissions'));
      admitted_accounts := admitted_accounts || line.account_no;
      admitted := admitted || head.no;
    end loop;
    exit when not goes_on;
  end loop;
  if admitted = '{}' then return; end if;
  update tasks set waits = 0 where no = any (admitted);
  update wait_queues l
  set served = s.value::bigint
  from jsonb_each_text(last_served) s
  where l.account_no = split_part(s.key, '/', 1)::bigint and l.key_no = split_part(s.key, '/', 2)::bigint;
end $$;

-- The waiting tasks that were never claimed. A search for the highest virtual start of an account
-- visited all of its tasks that were queued again.
create index tasks_unclaimed_idx on tasks (account_no, lane, virtual_start desc nulls last)
where virtual_start is not null and lease_fence = 0;

-- The function of 0027, which used the index tasks_running_idx.
create or replace function last_virtual_start(of_account bigint, of_lane bigint) returns bigint language plpgsql stable as $$
begin
  return coalesce((
    select t.virtual_start
    from tasks t
    where t.account_no = of_account and t.lane = of_lane and t.virtual_start is not null and t.lease_fence = 0
    -- Only tasks_unclaimed_idx has this order.
    order by t.virtual_start desc nulls last
    limit 1
  ), 0);
end $$;
