-- The functions of 0005 and 0015, which look each task up by its number. With the condition
-- "ended_at is null", PostgreSQL read the index of all running tasks for each step instead, until
-- its statistics of the table were up to date: after the start of an installation, ten thousand
-- running tasks made a batch take seconds. No index has the condition "coalesce(ended_at, 0) = 0".

-- Returns the steps that did not happen, by position and with their outcome, and the tasks with a change that clients can see.
create or replace function step_tasks(given json, now_ms bigint) returns table (i int, outcome text, changed_no bigint) language plpgsql as $$
declare
  steps task_step[];
  step task_step;
  task record;
  attempt record;
begin
  select array_agg(s order by s.i) into steps from json_populate_recordset(null::task_step, given) s;

  return query
  select distinct null::int, null::text, t.no
  from unnest(steps) s join tasks t on t.no = s.no
  where s.kind = 'renew' and t.lease_fence = s.fence and coalesce(t.ended_at, 0) = 0 and t.progress < s.progress;

  return query
  with asked as (
    select s.* from unnest(steps) s where s.kind = 'renew'
  ), renewed as (
    update tasks t
    set version = t.version + (t.progress < s.progress)::int, progress = greatest(t.progress, s.progress),
      due_at = now_ms + s.lease_ms, lease_until = now_ms + s.lease_ms
    from (select distinct on (a.no, a.fence) a.* from asked a order by a.no, a.fence, a.progress desc) s
    where t.no = s.no and t.lease_fence = s.fence and coalesce(t.ended_at, 0) = 0
    returning t.no, t.lease_fence
  )
  select a.i, 'missed', null::bigint
  from asked a
  where not exists (select from renewed r where r.no = a.no and r.lease_fence = a.fence);

  foreach step in array steps loop
    continue when step.kind = 'renew';
    i := step.i;
    outcome := null;
    changed_no := null;
    -- These need no lease.
    if step.kind = 'release_slot' then
      update task_attempts a set holds_slot = 0 where a.task_no = step.no and a.number = step.attempt and a.holds_slot = 1;
      continue;
    elsif step.kind = 'mark_reply_lost' then
      update task_attempts a set reply_lost = 1 where a.task_no = step.no and a.number = step.attempt and a.state = 'starting';
      continue;
    elsif step.kind = 'move_lane' then
      update tasks t
      set lane = step.to_lane, virtual_start = null, due_at = least(t.due_at, now_ms)
      where t.no = step.no and t.lane = step.from_lane and t.virtual_start is not null;
      continue;
    end if;

    select t.status into task from tasks t where t.no = step.no and t.lease_fence = step.fence and coalesce(t.ended_at, 0) = 0;
    if not found then outcome := 'missed'; end if;
    if step.kind = 'record_operation' then
      update task_attempts
      set state = 'started', operation = step.operation
      where task_no = step.no and number = step.attempt and state = 'starting';
      if not found and not exists (
        -- Already recorded by a batch whose result was lost.
        select from task_attempts a
        where a.task_no = step.no and a.number = step.attempt and a.state = 'started' and a.operation = step.operation
      ) then
        -- Its task ended during the start, so an operator must resolve it.
        update task_attempts
        set operation = step.operation, unresolved = case when snapshot_no > 0 then coalesce(unresolved, 'overdue') end
        where task_no = step.no and number = step.attempt and operation is null;
        outcome := 'missed';
      end if;
    elsif outcome is null and step.kind = 'begin' then
      select a.state, exists (
        -- After a pause, also while more attempts than may be unconfirmed were assigned before it.
        select from slot_pools p
        where p.no in (a.route_pool, a.upstream_pool)
          and (is_paused_until(p.paused_until, now_ms)
            or (p.unconfirmed_max is not null and p.unconfirmed_max < (select s.unconfirmed from slots_taken(p.no) s)))
      ) as is_paused
      into attempt
      from task_attempts a
      where a.task_no = step.no and a.number = step.attempt;
      if not found or attempt.state not in ('assigned', 'starting') then
        outcome := 'missed';
      elsif attempt.state = 'assigned' and attempt.is_paused then
        outcome := 'paused';
      elsif attempt.state = 'assigned' then
        update task_attempts a
        set state = 'starting', started_at = now_ms, begun_fence = step.fence
        where a.task_no = step.no and a.number = step.attempt;
        update tasks t
        set version = t.version + (t.status = 'queued')::int, status = 'processing', started_at = coalesce(t.started_at, now_ms)
        where t.no = step.no;
        if task.status = 'queued' then changed_no := step.no; end if;
      end if;
    elsif outcome is null and step.kind = 'retry_later' then
      update task_attempts a
      set state = step.state, reason = step.reason, detail = step.detail, ended_at = now_ms, holds_slot = 0
      where a.task_no = step.no and a.state in ('assigned', 'starting', 'started');
      update tasks t
      set version = t.version + (t.status = 'processing')::int, status = 'queued', due_at = step.due_ms, lease_until = null,
        goes_behind = step.goes_behind, lane = coalesce(step.to_lane, t.lane)
      where t.no = step.no;
      if task.status = 'processing' then changed_no := step.no; end if;
    elsif outcome is null and step.kind = 'release' then
      delete from task_attempts a where a.task_no = step.no and a.state = 'assigned';
      update tasks t set due_at = now_ms, lease_until = null where t.no = step.no;
    end if;
    if outcome is not null or changed_no is not null then return next; end if;
  end loop;
end $$;

-- Returns the position of each operation that ended a task. For an operation whose charge exceeds
-- the hold, it also returns an error.
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
    where coalesce(t.ended_at, 0) = 0
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
    -- Nothing was sent for an attempt that is only assigned. The job of an overdue attempt
    -- continues upstream. The attempt keeps its slots until the job is known to have ended
    -- (release_slot).
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
      count(*) filter (where a.kind <> 'complete'), sum(a.charges), coalesce(sum(coalesce(a.produced_ms, a.duration_ms)), 0), coalesce(sum(b.paid), 0),
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
    union all
    select a.no, m.position, m.object_key, m.content_type, m.size_bytes, m.sha256, m.width, m.height, m.duration_ms, m.seed, m.expires_ms
    from allowed a cross join lateral json_to_recordset(a.more) as m (
      position bigint, object_key text, content_type text, size_bytes bigint, sha256 text, width bigint, height bigint,
      duration_ms bigint, seed bigint, expires_ms bigint
    )
    where a.kind = 'complete' and a.more is not null
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
