-- Claims, and the steps of a task except its end. A step names the fence of the task's lease and finds no row if the fence is
-- older. A leased task is `queued` while its attempt is only assigned.

-- What a claim returns of a task: the task row, and its attempt.
create function claimed_row(of_task bigint, is_resumed boolean) returns json language sql stable as $$
  select json_build_object(
    'task', row_to_json(t), 'hasImages', exists (select from task_images p where p.task_no = t.no),
    'attempt', json_build_object(
      'number', a.number, 'state', a.state, 'resumed', is_resumed,
      'timesResumed', case when is_resumed then t.lease_fence - a.begun_fence else 0 end,
      'failedBefore', (select count(*) from task_attempts f where f.task_no = t.no and f.state = 'failed'),
      'route', a.route, 'snapshotNo', a.snapshot_no, 'operation', a.operation, 'startedAtMs', a.started_at, 'deadlineMs', a.deadline_ms,
      'pools', case when a.route_pool is not null then json_build_object('route', a.route_pool, 'upstream', a.upstream_pool) end
    )
  )
  from tasks t
  join lateral (select * from task_attempts a where a.task_no = t.no order by a.number desc limit 1) a on true
  where t.no = of_task
$$;

-- Lanes with waiting tasks, and their number up to a maximum. Jumps from lane to lane in tasks_virtual_start_idx without reading
-- the tasks between, even while the planner has statistics of an empty table.
create function waiting_lanes(count_max bigint) returns table (lane bigint, tasks bigint)
language plpgsql stable set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query
  with recursive lanes as (
    (select t.lane as no from tasks t where t.virtual_start is not null order by t.lane, t.virtual_start, t.no limit 1)
    union all
    select (select t.lane from tasks t where t.virtual_start is not null and t.lane > l.no order by t.lane, t.virtual_start, t.no limit 1)
    from lanes l
    where l.no is not null
  )
  select l.no, (select count(*) from (select from tasks t where t.lane = l.no and t.virtual_start is not null limit count_max) counted)
  from lanes l
  where l.no is not null;
end $$;

-- Attempts of a pool in flight, and those that no upstream has accepted yet (without those whose response was lost). Served by
-- the partial indexes on slots. Callers disable bitmap scans: these read index entries of freed slots until the table is
-- vacuumed, while index scans remove them.
create function slots_taken(of_pool bigint) returns table (in_flight bigint, unconfirmed bigint) language sql stable as $$
  select count(*), count(*) filter (where a.state in ('assigned', 'starting') and a.reply_lost = 0)
  from (
    select u.state, u.reply_lost from task_attempts u where u.upstream_pool = of_pool and u.holds_slot = 1
    union all
    select r.state, r.reply_lost from task_attempts r where r.route_pool = of_pool and r.holds_slot = 1
  ) a
$$;

create function pool_states() returns json language plpgsql stable set enable_bitmapscan = off as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
      'no', p.no, 'inFlight', s.in_flight, 'unconfirmed', s.unconfirmed, 'pausedUntilMs', p.paused_until,
      'unconfirmedMax', p.unconfirmed_max, 'refusals', p.refusals, 'condition', p.condition
    ) order by p.no), '[]')
    from slot_pools p cross join lateral slots_taken(p.no) s
  );
end $$;

-- Whether submits are paused. Pauses are never longer than 15 minutes, so a longer one means that the clock was set back, and it
-- counts as over.
create function is_paused_until(paused_until bigint, now_ms bigint) returns boolean language sql immutable as $$
  select now_ms < paused_until and paused_until <= now_ms + 900000
$$;

-- Free slots of a pool; exact while its row is locked. 0 for a pool that does not exist.
create function slots_left(of_pool bigint, in_flight_max bigint, now_ms bigint) returns bigint
language plpgsql stable set enable_bitmapscan = off as $$
begin
  return coalesce((
    select case
      when is_paused_until(p.paused_until, now_ms) then 0
      else greatest(0, least(in_flight_max - s.in_flight, p.unconfirmed_max - s.unconfirmed))
    end
    from slot_pools p cross join lateral slots_taken(p.no) s
    where p.no = of_pool
  ), 0);
end $$;

-- Resumes tasks whose worker died or returned them after it had started an attempt. All other due tasks are queued in their lane:
-- new ones after their account's last, those claimed before ahead of all new ones, or some positions behind. Served by
-- tasks_due_at_idx. Rows locked by other processes are skipped.
create function take_due(lease_ms bigint, count_max bigint, now_ms bigint) returns json language plpgsql as $$
declare
  due record;
  open_state text;
  claimed json[] := '{}';
begin
  for due in
    select no, account_no, lane, lease_fence, goes_behind
    from tasks
    where due_at <= now_ms and virtual_start is null and waits = 0
    order by due_at, no
    limit 500
    for update skip locked
  loop
    open_state := null;
    if due.lease_fence > 0 then
      select a.state into open_state from task_attempts a where a.task_no = due.no order by a.number desc limit 1;
    end if;
    if open_state in ('starting', 'started') then
      update tasks
      set due_at = now_ms + lease_ms, lease_until = now_ms + lease_ms, lease_fence = lease_fence + 1
      where no = due.no;
      claimed := claimed || claimed_row(due.no, true);
      continue;
    end if;
    -- Its worker is gone, and no request was sent.
    if open_state = 'assigned' then
      delete from task_attempts a where a.task_no = due.no and a.state = 'assigned';
    end if;
    update tasks
    set goes_behind = 0, lease_until = null,
      virtual_start = case
        when due.lease_fence = 0 then greatest(served_virtual_start(due.lane), last_virtual_start(due.account_no, due.lane)) + 1
        else served_virtual_start(due.lane) + 10 * due.goes_behind
      end
    where no = due.no;
  end loop;

  return json_build_object(
    'kind', 'due', 'claims', array_to_json(claimed), 'pools', pool_states(),
    'waiting', (select coalesce(json_agg(w order by w.lane), '[]') from waiting_lanes(count_max) w)
  );
end $$;

-- Claims from each lane the tasks with the lowest virtual starts: as many as each route was granted and its pools, which are
-- locked (write_batch), have free slots. Rows locked by other processes are skipped.
create function claim_tasks(lanes json, lease_ms bigint, now_ms bigint) returns json language plpgsql as $$
declare
  granted record;
  empty_place bigint := 0;
  allowed bigint;
  taken bigint[];
  claimed bigint[] := '{}';
begin
  for granted in
    select l.place, (l.lane ->> 'lane')::bigint as lane, r.granted ->> 'route' as route, (r.granted ->> 'snapshotNo')::bigint as snapshot_no,
      (r.granted ->> 'limit')::bigint as tasks_max, (r.granted ->> 'deadlineMs')::bigint as deadline_ms,
      (r.granted #>> '{pools,route,pool}')::bigint as route_pool, (r.granted #>> '{pools,route,inFlightMax}')::bigint as route_max,
      (r.granted #>> '{pools,upstream,pool}')::bigint as upstream_pool,
      (r.granted #>> '{pools,upstream,inFlightMax}')::bigint as upstream_max
    from json_array_elements(lanes) with ordinality l (lane, place)
    cross join lateral json_array_elements(l.lane -> 'routes') with ordinality r (granted, place)
    order by l.place, r.place
  loop
    continue when granted.place = empty_place;
    allowed := granted.tasks_max;
    if granted.route_pool is not null then
      allowed := least(
        allowed,
        slots_left(granted.route_pool, granted.route_max, now_ms),
        slots_left(granted.upstream_pool, granted.upstream_max, now_ms)
      );
    end if;
    continue when allowed <= 0;

    select array_agg(next.no order by next.virtual_start, next.no) into taken
    from (
      select t.no, t.virtual_start
      from tasks t
      where t.lane = granted.lane and t.virtual_start is not null
      order by t.virtual_start, t.no
      limit allowed
      for update skip locked
    ) next;
    if coalesce(cardinality(taken), 0) < allowed then empty_place := granted.place; end if;
    continue when taken is null;

    if granted.route_pool is null then
      update tasks
      set version = version + (status = 'queued')::int, status = 'processing', started_at = coalesce(started_at, now_ms),
        due_at = now_ms + lease_ms, lease_until = now_ms + lease_ms, lease_fence = lease_fence + 1, virtual_start = null
      where no = any (taken);
    else
      update tasks
      set first_due_at = coalesce(first_due_at, due_at),
        due_at = now_ms + lease_ms, lease_until = now_ms + lease_ms, lease_fence = lease_fence + 1, virtual_start = null
      where no = any (taken);
    end if;
    insert into task_attempts
      (task_no, number, state, route, snapshot_no, started_at, deadline_ms, route_pool, upstream_pool, holds_slot, begun_fence)
    select t.no, coalesce((select max(a.number) from task_attempts a where a.task_no = t.no), 0) + 1,
      case when granted.route_pool is null then 'starting' else 'assigned' end,
      granted.route, granted.snapshot_no, now_ms, granted.deadline_ms, granted.route_pool, granted.upstream_pool,
      (granted.route_pool is not null)::int,
      case when granted.route_pool is null then (select k.lease_fence from tasks k where k.no = t.no) else 0 end
    from unnest(taken) t (no);
    claimed := claimed || taken;
  end loop;
  return (
    select coalesce(json_agg(claimed_row(t.no, false) order by t.place), '[]') from unnest(claimed) with ordinality t (no, place)
  );
end $$;

create type pool_change as (i int, pool bigint, kind text, until_ms bigint, refusals bigint, condition text);

-- The pools are locked (write_batch).
create function change_pools(given json, now_ms bigint) returns void language plpgsql as $$
declare
  change pool_change;
begin
  for change in select * from json_populate_recordset(null::pool_change, given) c order by c.i loop
    case change.kind
      when 'pause' then
        update slot_pools p
        set paused_until = case
            when is_paused_until(p.paused_until, now_ms) then greatest(p.paused_until, change.until_ms)
            else change.until_ms
          end,
          unconfirmed_max = 1,
          refusals = greatest(p.refusals, change.refusals),
          condition = (array['open', 'throttled', 'unavailable', 'out_of_order'])[greatest(
            array_position(array['open', 'throttled', 'unavailable', 'out_of_order'], p.condition::text),
            array_position(array['open', 'throttled', 'unavailable', 'out_of_order'], change.condition)
          )]
        where p.no = change.pool;
      when 'confirm' then
        -- After 64 accepted attempts in a row a pool that was paused is unrestricted again; in powers of two.
        update slot_pools p
        set refusals = 0, condition = 'open',
          unconfirmed_max = case when 2 * p.unconfirmed_max < 64 then 2 * p.unconfirmed_max end
        where p.no = change.pool and not is_paused_until(p.paused_until, now_ms)
          and (p.refusals, p.condition, p.unconfirmed_max) is distinct from (0, 'open', null);
      when 'reopen' then
        update slot_pools p
        set paused_until = least(p.paused_until, now_ms), refusals = 0, condition = 'open', unconfirmed_max = 1
        where p.no = change.pool;
    end case;
  end loop;
end $$;

create type task_step as (
  i int, kind text, no bigint, fence bigint, attempt bigint, operation text, state text, reason text, detail text, goes_behind bigint,
  progress bigint, lease_ms bigint, due_ms bigint, from_lane bigint, to_lane bigint
);

-- Returns the steps that did not happen, by position and with their outcome, and the tasks with a change that clients can see.
create function step_tasks(given json, now_ms bigint) returns table (i int, outcome text, changed_no bigint) language plpgsql as $$
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
  where s.kind = 'renew' and t.lease_fence = s.fence and t.ended_at is null and t.progress < s.progress;

  return query
  with asked as (
    select s.* from unnest(steps) s where s.kind = 'renew'
  ), renewed as (
    update tasks t
    set version = t.version + (t.progress < s.progress)::int, progress = greatest(t.progress, s.progress),
      due_at = now_ms + s.lease_ms, lease_until = now_ms + s.lease_ms
    from (select distinct on (a.no, a.fence) a.* from asked a order by a.no, a.fence, a.progress desc) s
    where t.no = s.no and t.lease_fence = s.fence and t.ended_at is null
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

    select t.status into task from tasks t where t.no = step.no and t.lease_fence = step.fence and t.ended_at is null;
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
