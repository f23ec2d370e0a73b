-- Claiming tasks, and the steps of a leased task that do not end it. A step names the fence of its lease: an older one finds no row.

-- What a claim tells of a task: the task row, and its attempt.
create function claimed_row(of_task bigint, is_resumed boolean) returns json language sql stable as $$
  select json_build_object(
    'task', row_to_json(t), 'hasPictures', exists (select from task_pictures p where p.task_no = t.no),
    'attempt', json_build_object(
      'number', a.number, 'state', a.state, 'resumed', is_resumed,
      'failedBefore', (select count(*) from task_attempts f where f.task_no = t.no and f.state = 'failed'),
      'route', a.route, 'frozenNo', a.frozen_no, 'operation', a.operation, 'startedAtMs', a.started_at
    )
  )
  from tasks t
  join lateral (select * from task_attempts a where a.task_no = t.no order by a.number desc limit 1) a on true
  where t.no = of_task
$$;

-- Takes tasks. First those with an open attempt: their worker died or gave them back, and they go on with it, whatever there is room
-- for. Then, in each lane, whoever has the lowest turn, on the routes that have room. Tasks whose delay is over get their turn now,
-- and those that are to be tried again stand in front. Rows that somebody else is taking are passed over.
create function claim_tasks(lanes json, lease_ms bigint, now_ms bigint) returns json language plpgsql as $$
declare
  due record;
  place record;
  taken bigint[];
  claimed json[] := '{}';
begin
  for due in
    select no, account_no, lane, status, started_at,
      status = 'processing' and exists (
        select from task_attempts a where a.task_no = tasks.no and a.state in ('starting', 'started')
      ) as goes_on
    from tasks
    where due_at <= now_ms and turn is null and waits = 0
    order by due_at, no
    limit 500
    for update skip locked
  loop
    if due.goes_on then
      update tasks
      set due_at = now_ms + lease_ms, lease_until = now_ms + lease_ms, lease_fence = lease_fence + 1
      where no = due.no;
      claimed := claimed || claimed_row(due.no, true);
    else
      update tasks
      set turn = case
        when due.status = 'queued' then greatest(served_turn(due.lane), last_turn(due.account_no, due.lane)) + 1
        else served_turn(due.lane)
      end
      where no = due.no;
    end if;
  end loop;

  for place in
    select (l.lane ->> 'lane')::bigint as lane, places.routes, places.frozen
    from json_array_elements(lanes) with ordinality l (lane, place)
    cross join lateral (
      select array_agg(r.route ->> 'route' order by r.place, n) as routes, array_agg((r.route ->> 'frozenNo')::bigint order by r.place, n) as frozen
      from json_array_elements(l.lane -> 'routes') with ordinality r (route, place)
      cross join lateral generate_series(1, (r.route ->> 'limit')::int) n
    ) places
    where places.routes is not null
    order by l.place
  loop
    select array_agg(next.no order by next.turn, next.no) into taken
    from (
      select t.no, t.turn
      from tasks t
      where t.lane = place.lane and t.turn is not null
      order by t.turn, t.no
      limit cardinality(place.routes)
      for update skip locked
    ) next;
    continue when taken is null;
    update tasks
    set version = version + (status = 'queued')::int, status = 'processing', started_at = coalesce(started_at, now_ms),
      due_at = now_ms + lease_ms, lease_until = now_ms + lease_ms, lease_fence = lease_fence + 1, turn = null
    where no = any (taken);
    insert into task_attempts (task_no, number, state, route, frozen_no, started_at)
    select t.no, coalesce((select max(a.number) from task_attempts a where a.task_no = t.no), 0) + 1, 'starting',
      place.routes[t.place], place.frozen[t.place], now_ms
    from unnest(taken) with ordinality t (no, place);
    claimed := claimed || (select array_agg(claimed_row(t.no, false) order by t.place) from unnest(taken) with ordinality t (no, place));
  end loop;
  return array_to_json(claimed);
end $$;

create type task_step as (
  i int, kind text, no bigint, fence bigint, attempt bigint, operation text, state text, reason text, detail text, route text,
  frozen_no bigint, progress bigint, lease_ms bigint, due_ms bigint
);

-- Answers with the places of those whose lease is lost, and with the tasks whose progress has risen.
create function step_tasks(given json, now_ms bigint) returns table (i int, risen_no bigint) language plpgsql as $$
declare
  steps task_step[];
  step task_step;
  is_leased boolean;
begin
  select array_agg(s order by s.i) into steps from json_populate_recordset(null::task_step, given) s;

  return query
  select distinct null::int, t.no
  from unnest(steps) s join tasks t on t.no = s.no
  where s.kind = 'renew' and t.lease_fence = s.fence and t.status = 'processing' and t.progress < s.progress;

  return query
  with asked as (
    select s.* from unnest(steps) s where s.kind = 'renew'
  ), renewed as (
    update tasks t
    set version = t.version + (t.progress < s.progress)::int, progress = greatest(t.progress, s.progress),
      due_at = now_ms + s.lease_ms, lease_until = now_ms + s.lease_ms
    from (select distinct on (a.no, a.fence) a.* from asked a order by a.no, a.fence, a.progress desc) s
    where t.no = s.no and t.lease_fence = s.fence and t.status = 'processing'
    returning t.no, t.lease_fence
  )
  select a.i, null::bigint from asked a where not exists (select from renewed r where r.no = a.no and r.lease_fence = a.fence);

  foreach step in array steps loop
    continue when step.kind = 'renew';
    is_leased := exists (select from tasks t where t.no = step.no and t.lease_fence = step.fence and t.status = 'processing');
    if step.kind = 'record_operation' then
      update task_attempts
      set state = 'started', operation = step.operation
      where task_no = step.no and number = step.attempt and state = 'starting';
      if not found then
        -- Its task has ended while it was started: somebody has to look what becomes of it.
        update task_attempts
        set operation = step.operation, unresolved = case when frozen_no > 0 then coalesce(unresolved, 'overdue') end
        where task_no = step.no and number = step.attempt and operation is null;
        is_leased := false;
      end if;
    elsif is_leased then
      if step.kind in ('next_attempt', 'retry_later') then
        update task_attempts
        set state = step.state, reason = step.reason, detail = step.detail, ended_at = now_ms
        where task_no = step.no and state in ('starting', 'started');
      end if;
      if step.kind = 'next_attempt' then
        insert into task_attempts (task_no, number, state, route, frozen_no, started_at)
        values (step.no, step.attempt, 'starting', step.route, step.frozen_no, now_ms);
      elsif step.kind = 'change_route' then
        update task_attempts set route = step.route, frozen_no = step.frozen_no where task_no = step.no and state = 'starting';
      elsif step.kind in ('retry_later', 'release') then
        update tasks set due_at = coalesce(step.due_ms, now_ms), lease_until = null where no = step.no;
      end if;
    end if;
    if not is_leased then
      i := step.i;
      return next;
    end if;
  end loop;
end $$;

-- Tasks that wait in the lane of routes that no longer serve their model get a turn in the right one at the next claim.
create function set_lanes(models text[], lanes bigint[]) returns void language sql as $$
  update tasks t
  set lane = coalesce(l.lane, 0), turn = null
  from (select distinct q.lane, q.model from tasks q where q.ended_at is null) q
  left join unnest(models, lanes) l (model, lane) on l.model = q.model
  where t.ended_at is null and t.lane = q.lane and t.model = q.model and q.lane <> coalesce(l.lane, 0);
$$;
