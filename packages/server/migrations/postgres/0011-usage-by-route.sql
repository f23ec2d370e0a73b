-- Usage and cost of ended tasks, by the day on which they were accepted. Written in the transaction that ends a task, under the
-- lock on its account, so no two transactions write the same row at a time.
-- route_no       route_snapshots.no of the task's last attempt; 0: an embedded route; -1: no attempt.
--                  The cost of an attempt counts for its own route.
-- cost           known payments to upstreams
-- cost_unknown   attempts upstream with unknown cost
create table usage_by_route (
  account_no bigint not null,
  key_no bigint not null,
  day bigint not null,
  model text collate "C" not null,
  route_no bigint not null default -1,
  completed bigint not null,
  failed bigint not null,
  charged bigint not null,
  produced_ms bigint not null,
  cost bigint not null default 0,
  cost_unknown bigint not null default 0
) with (fillfactor = 70);

-- Filled from the existing tasks and attempts, whose cost is unknown. Processes continue to end tasks meanwhile. They then wait
-- while these later ends are added, until the migration is committed.
create temporary table usage_then (like usage) on commit drop;
create temporary table ended_since (no bigint primary key) on commit drop;
do $$
declare
  fill constant text := $sql$
    insert into usage_by_route (account_no, key_no, day, model, route_no, completed, failed, charged, produced_ms, cost_unknown)
    select account_no, key_no, day, model, route_no, sum(completed), sum(failed), sum(charged), sum(produced_ms), sum(cost_unknown)
    from (
      select t.account_no, coalesce(t.key_no, 0) as key_no, day_of_task(t.no) as day, t.model, coalesce(a.snapshot_no, -1) as route_no,
        (t.status = 'completed')::int as completed, (t.status = 'failed')::int as failed, t.charged,
        coalesce(r.duration_ms, 0) as produced_ms, 0 as cost_unknown
      from tasks t
      left join lateral (
        select l.snapshot_no
        from task_attempts l
        where l.task_no = t.no and l.ended_at = t.ended_at and l.state in ('succeeded', 'failed')
        order by l.number desc
        limit 1
      ) a on true
      left join results r on r.task_no = t.no and r.position = 0
      where t.ended_at is not null and %1$s
      union all
      select t.account_no, coalesce(t.key_no, 0), day_of_task(t.no), t.model, a.snapshot_no, 0, 0, 0, 0, 1
      from tasks t join task_attempts a on a.task_no = t.no and a.ended_at = t.ended_at
      where t.ended_at is not null and a.snapshot_no > 0 and a.state in ('succeeded', 'failed') and %1$s
    ) used
    group by 1, 2, 3, 4, 5
  $sql$;
begin
  -- One statement, so that both are of the same snapshot.
  execute format('with filled as (%s) insert into usage_then select * from usage', format(fill, 'true'));
  alter table usage_by_route add constraint usage_by_route_pkey primary key (account_no, key_no, day, model, route_no);

  -- Every batch first locks the row of its writer: current batches finish, and no new one begins.
  lock table writers in access exclusive mode;
  lock table usage, task_attempts in access exclusive mode;
  insert into ended_since
  select t.no
  from usage u
  left join usage_then o on o.account_no = u.account_no and o.key_no = u.key_no and o.day = u.day and o.model = u.model
  join tasks t on t.account_no = u.account_no
    and t.no >= first_task_no_at(u.day * 86400000) and t.no < first_task_no_at((u.day + 1) * 86400000)
  where coalesce(t.key_no, 0) = u.key_no and t.model = u.model and t.ended_at is not null
    and (o.day is null or o.completed <> u.completed or o.failed <> u.failed);
  delete from usage_by_route r
  using usage u left join usage_then o on o.account_no = u.account_no and o.key_no = u.key_no and o.day = u.day and o.model = u.model
  where r.account_no = u.account_no and r.key_no = u.key_no and r.day = u.day and r.model = u.model
    and (o.day is null or o.completed <> u.completed or o.failed <> u.failed);
  execute format(fill, 't.no in (select e.no from ended_since e)');
end $$;
drop table usage;
alter table usage_by_route rename to usage;
alter table usage rename constraint usage_by_route_pkey to usage_pkey;

-- The same without accounts and keys.
create view usage_totals as
select u.day, a.brand_no, u.model, u.route_no, sum(u.completed) as completed, sum(u.failed) as failed, sum(u.charged) as charged,
  sum(u.produced_ms) as produced_ms, sum(u.cost) as cost, sum(u.cost_unknown) as cost_unknown
from usage u join accounts a on a.no = u.account_no
group by u.day, a.brand_no, u.model, u.route_no;

-- Cost of an attempt for the operator in micro-credits, by the cost setting of its route; null: unknown, or an embedded route,
-- which costs nothing.
alter table task_attempts add column paid bigint;
alter type task_end add attribute paid bigint;

-- Names of the route and its upstream, for reports. The trigger sets them for processes of an earlier version.
alter table route_snapshots add column name text collate "C", add column upstream text collate "C";
update route_snapshots set name = definition::json ->> 'name', upstream = definition::json ->> 'upstream';
create function name_route_snapshot() returns trigger language plpgsql as $$
begin
  new.name := new.definition::json ->> 'name';
  new.upstream := new.definition::json ->> 'upstream';
  return new;
end $$;
create trigger route_snapshots_name before insert on route_snapshots for each row
when (new.name is null) execute function name_route_snapshot();

-- The cost of an attempt may become known after its end.
create function count_paid() returns trigger language plpgsql as $$
begin
  insert into usage as u (account_no, key_no, day, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown)
  select t.account_no, coalesce(t.key_no, 0), day_of_task(t.no), t.model, new.snapshot_no, 0, 0, 0, 0,
    coalesce(new.paid, 0) - coalesce(old.paid, 0), (new.paid is null)::int - (old.paid is null)::int
  from tasks t
  where t.no = new.task_no
  on conflict on constraint usage_pkey do update
  set cost = u.cost + excluded.cost, cost_unknown = u.cost_unknown + excluded.cost_unknown;
  return null;
end $$;
create trigger task_attempts_paid after update of paid on task_attempts for each row
when (old.ended_at is not null and new.snapshot_no > 0 and old.paid is distinct from new.paid)
execute function count_paid();

-- As in 0006, with the cost of each attempt. Returns the positions of those that ended a task, and with an error those that
-- charge more than was held.
create or replace function end_tasks(given json, now_ms bigint) returns table (i int, task_no bigint, charged bigint, error text) language plpgsql as $$
declare
  ends task_end[];
  ended_accounts bigint[];
  one record;
begin
  select array_agg(e order by e.i) into ends from json_populate_recordset(null::task_end, given) e;

  return query
  select e.i, e.no, null::bigint, format('the charge %s of task %s is more than its hold %s', e.charge, e.no, t.price)
  from unnest(ends) e join tasks t on t.no = e.no
  where e.kind = 'complete' and t.status = 'processing' and t.lease_fence = e.fence and e.charge not between 0 and t.price;

  return query
  with allowed as (
    select distinct on (t.no) e.*, t.account_no, coalesce(t.key_no, 0) as key_no, t.model, t.price,
      case when e.kind = 'complete' then e.charge else 0 end as charges
    from unnest(ends) e join tasks t on t.no = e.no
    where t.ended_at is null
      and (e.kind = 'cancel' or t.lease_fence = e.fence)
      and (e.kind <> 'complete' or (t.status = 'processing' and e.charge between 0 and t.price))
    order by t.no, e.i
  ), ended as (
    update tasks t
    set status = case when a.kind = 'complete' then 'completed' else 'failed' end,
      progress = case when a.kind = 'complete' then 100 else t.progress end,
      charged = a.charges, error_code = a.code, error_message = a.message, version = t.version + 1,
      due_at = null, lease_until = null, virtual_start = null, waits = 0, ended_at = now_ms
    from allowed a
    where t.no = a.no
  ), written as (
    insert into entries (account_no, position, task_no, kind, amount, held, balance_after, at)
    select a.account_no, o.last_position + row_number() over of_account, a.no,
      case when a.kind = 'complete' then 'settle' else 'release' end, a.price - a.charges, -a.price,
      o.balance + sum(a.price - a.charges) over of_account, greatest(o.last_at, now_ms)
    from allowed a join accounts o on o.no = a.account_no
    window of_account as (partition by a.account_no order by a.i)
    order by a.i
  ), moved as (
    update accounts o
    set balance = o.balance + m.back, held = o.held - m.price, last_position = o.last_position + m.lines,
      last_at = greatest(o.last_at, now_ms)
    from (
      select a.account_no, sum(a.price - a.charges) as back, sum(a.price) as price, count(*) as lines from allowed a group by a.account_no
    ) m
    where o.no = m.account_no
  ), attempted as (
    -- An assigned attempt sent nothing. The job of an overdue attempt continues upstream and keeps its slot until it is known to
    -- have ended (release_slot).
    update task_attempts t
    set state = case when a.kind = 'complete' then 'succeeded' when t.state = 'assigned' then 'not_accepted' else 'failed' end,
      reason = a.message, detail = a.detail, cost = a.cost, cost_unit = a.cost_unit,
      paid = case when t.snapshot_no > 0 and t.state <> 'assigned' then a.paid end,
      unresolved = case when t.snapshot_no > 0 and t.state <> 'assigned' then a.unresolved end,
      holds_slot = case when a.unresolved = 'overdue' and t.state <> 'assigned' then t.holds_slot else 0 end, ended_at = now_ms
    from allowed a
    where t.task_no = a.no and t.state in ('assigned', 'starting', 'started')
    returning t.task_no, t.state, t.snapshot_no, t.paid
  ), without_images as (
    delete from task_images p using allowed a where p.task_no = a.no
  ), unneeded as (
    delete from task_assets n using allowed a where n.task_no = a.no
  ), used as (
    insert into usage as u (
      account_no, key_no, day, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown
    )
    select a.account_no, a.key_no, day_of_task(a.no), a.model, coalesce(b.snapshot_no, -1), count(*) filter (where a.kind = 'complete'),
      count(*) filter (where a.kind <> 'complete'), sum(a.charges), coalesce(sum(a.duration_ms), 0), coalesce(sum(b.paid), 0),
      count(*) filter (where b.snapshot_no > 0 and b.paid is null)
    from allowed a left join attempted b on b.task_no = a.no and b.state <> 'not_accepted'
    group by 1, 2, 3, 4, 5
    on conflict on constraint usage_pkey do update
    set completed = u.completed + excluded.completed, failed = u.failed + excluded.failed, charged = u.charged + excluded.charged,
      produced_ms = u.produced_ms + excluded.produced_ms, cost = u.cost + excluded.cost,
      cost_unknown = u.cost_unknown + excluded.cost_unknown
  ), stored as (
    insert into results (task_no, position, object_key, content_type, size_bytes, sha256, width, height, duration_ms, seed, expires_at)
    select a.no, 0, a.object_key, a.content_type, a.size_bytes, a.sha256, a.width, a.height, a.duration_ms, a.seed, a.expires_ms
    from allowed a
    where a.kind = 'complete'
  )
  select a.i, a.no, a.charges, null::text from allowed a;

  select array_agg(distinct t.account_no) into ended_accounts from unnest(ends) e join tasks t on t.no = e.no;
  if ended_accounts is null then return; end if;
  if exists (select from accounts a where a.no = any (ended_accounts) and a.has_grants) then
    for one in
      select e.no as entry_no, e.account_no, e.task_no, -e.held as price, e.amount as back
      from unnest(ends) given_end
      join entries e on e.task_no = given_end.no and (e.kind = 'hold') = false
      join accounts a on a.no = e.account_no and a.has_grants
      where e.amount > 0 and not exists (select from grant_parts p where p.entry_no = e.no)
      group by e.no
      order by e.no
    loop
      perform give_back(one.entry_no, one.task_no, one.price, one.back);
    end loop;
    for one in select a.no from accounts a where a.no = any (ended_accounts) and a.has_grants order by a.no loop
      perform expire_account(one.no, now_ms);
    end loop;
  end if;
  perform admit_waiting(
    ended_accounts,
    (
      select array_agg(distinct b.no)
      from accounts a join brands b on b.no = a.brand_no
      where a.no = any (ended_accounts) and coalesce(b.tasks_in_flight_max, b.credits_in_flight_max) is not null
    ),
    now_ms
  );
end $$;
