-- Cost of an attempt for the operator in micro-credits, by the cost setting of its route; null: unknown, or an embedded route,
-- which costs nothing.
alter table task_attempts add column paid integer;

-- Names of the route and its upstream, for reports.
alter table route_snapshots add column name text;
alter table route_snapshots add column upstream text;
update route_snapshots set name = definition ->> 'name', upstream = definition ->> 'upstream';

-- Usage and cost of ended tasks, by the day on which they were accepted (days since 1970, UTC). Written in the commit that ends a
-- task. Days come last in the key, so that a report grouped by the other columns reads the rows in order, without a sort.
-- route_no       route_snapshots.no of the task's last attempt; 0: an embedded route; -1: no attempt.
--                  The cost of an attempt counts for its own route.
-- cost           known payments to upstreams
-- cost_unknown   attempts upstream with unknown cost
drop table usage;
create table usage (
  account_no integer not null,
  key_no integer not null,
  model text not null,
  route_no integer not null,
  day integer not null,
  completed integer not null,
  failed integer not null,
  charged integer not null,
  produced_ms integer not null,
  cost integer not null,
  cost_unknown integer not null,
  primary key (account_no, key_no, model, route_no, day)
) without rowid;

-- The same without accounts and keys: few rows even with many accounts.
create table usage_totals (
  day integer not null,
  brand_no integer not null,
  model text not null,
  route_no integer not null,
  completed integer not null,
  failed integer not null,
  charged integer not null,
  produced_ms integer not null,
  cost integer not null,
  cost_unknown integer not null,
  primary key (day, brand_no, model, route_no)
) without rowid;

-- Filled from the existing tasks and attempts, whose cost is unknown. The sort uses files (migrate.ts).
insert into usage
select account_no, key_no, model, route_no, day, sum(completed), sum(failed), sum(charged), sum(produced_ms), 0, sum(cost_unknown)
from (
  select
    t.account_no, coalesce(t.key_no, 0) as key_no, t.model, coalesce(a.snapshot_no, -1) as route_no,
    (t.no / 4096 + 1577836800000) / 86400000 as day, t.status = 'completed' as completed, t.status = 'failed' as failed, t.charged,
    coalesce(r.duration_ms, 0) as produced_ms, 0 as cost_unknown
  from tasks t
  left join task_attempts a on a.task_no = t.no and a.number = (
    select max(l.number)
    from task_attempts l
    where l.task_no = t.no and l.ended_at = t.ended_at and (l.state = 'succeeded' or l.state = 'failed')
  )
  left join results r on r.task_no = t.no and r.position = 0
  where t.ended_at is not null
  union all
  select
    t.account_no, coalesce(t.key_no, 0), t.model, a.snapshot_no, (t.no / 4096 + 1577836800000) / 86400000, 0, 0, 0, 0, 1
  from task_attempts a cross join tasks t
  where t.no = a.task_no and a.ended_at = t.ended_at and a.snapshot_no > 0 and (a.state = 'succeeded' or a.state = 'failed')
)
group by account_no, key_no, model, route_no, day;

insert into usage_totals
select u.day, a.brand_no, u.model, u.route_no, sum(u.completed), sum(u.failed), sum(u.charged), sum(u.produced_ms), 0, sum(u.cost_unknown)
from usage u join accounts a on a.no = u.account_no
group by u.day, a.brand_no, u.model, u.route_no;

-- The cost of an attempt may become known after its end.
create trigger task_attempts_paid after update of paid on task_attempts
when old.ended_at is not null and new.snapshot_no > 0 and old.paid is not new.paid
begin
  insert into usage
  select
    t.account_no, coalesce(t.key_no, 0), t.model, new.snapshot_no, (t.no / 4096 + 1577836800000) / 86400000,
    0, 0, 0, 0, coalesce(new.paid, 0) - coalesce(old.paid, 0), (new.paid is null) - (old.paid is null)
  from tasks t
  where t.no = new.task_no
  on conflict do update set cost = cost + excluded.cost, cost_unknown = cost_unknown + excluded.cost_unknown;
  insert into usage_totals
  select
    (t.no / 4096 + 1577836800000) / 86400000, a.brand_no, t.model, new.snapshot_no,
    0, 0, 0, 0, coalesce(new.paid, 0) - coalesce(old.paid, 0), (new.paid is null) - (old.paid is null)
  from tasks t join accounts a on a.no = t.account_no
  where t.no = new.task_no
  on conflict do update set cost = cost + excluded.cost, cost_unknown = cost_unknown + excluded.cost_unknown;
end;
