-- Batches run fewer statements. The functions of 0005 and 0024 ran several for each task.

-- The functions of 0003 and 0015 in PL/pgSQL: PostgreSQL plans their statements once for each session,
-- and those of an SQL function for each statement that calls it.
create or replace function served_virtual_start(of_lane bigint) returns bigint language plpgsql stable as $$
begin
  return coalesce((
    select case when t.lease_fence = 0 then t.virtual_start - 1 else t.virtual_start end
    from tasks t
    where t.lane = of_lane and t.virtual_start is not null
    -- With `t.`: otherwise it sorts by the output column of the same name, for which there is no index.
    order by t.virtual_start, t.no
    limit 1
  ), 0);
end $$;

create or replace function last_virtual_start(of_account bigint, of_lane bigint) returns bigint language plpgsql stable as $$
begin
  return coalesce((
    select t.virtual_start
    from tasks t
    where t.account_no = of_account and t.lane = of_lane and t.ended_at is null and (t.virtual_start is null or t.lease_fence = 0)
    order by t.virtual_start desc nulls last
    limit 1
  ), 0);
end $$;

create or replace function other_results(of_task bigint) returns text language plpgsql stable as $$
begin
  return (
    select json_agg(row_to_json(r) order by r.position)::text from results r where r.task_no = of_task and r.position > 0
  );
end $$;

-- Returns what a claim returns of each task, in the order of the numbers: its row, and its newest
-- attempt. Omits a task that has another fence or is queued again: the batch of the claim was sent
-- again after the lease, and the task no longer belongs to this process.
create function claimed_rows(of_tasks bigint[], fences bigint[], is_resumed boolean) returns json language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
      'task', row_to_json(t), 'hasImages', exists (select from task_images p where p.task_no = t.no),
      'attempt', json_build_object(
        'number', a.number, 'state', a.state, 'resumed', is_resumed,
        'timesResumed', case when is_resumed then t.lease_fence - a.begun_fence else 0 end,
        'failedBefore', case when a.number = 1 then 0
          else (select count(*) from task_attempts f where f.task_no = t.no and f.state = 'failed') end,
        'route', a.route, 'snapshotNo', a.snapshot_no, 'operation', a.operation, 'startedAtMs', a.started_at, 'deadlineMs', a.deadline_ms,
        'pools', case when a.route_pool is not null then json_build_object('route', a.route_pool, 'upstream', a.upstream_pool) end
      )
    ) order by c.place), '[]')
    from unnest(of_tasks, fences) with ordinality c (no, fence, place)
    join tasks t on t.no = c.no and t.lease_fence = c.fence
    join lateral (select * from task_attempts a where a.task_no = t.no order by a.number desc limit 1) a on true
    where a.ended_at is null or coalesce(t.ended_at, 0) <> 0
  );
end $$;

-- The function of 0009. Now it returns the numbers of the resumed tasks only. The earlier function
-- stays, because batches that wait for this migration still call it. So do `claim_tasks` and
-- `claimed_row`.
create function take_due(lease_ms bigint, now_ms bigint) returns bigint[] language plpgsql as $$
declare
  due record;
  open_state text;
  resumed bigint[] := '{}';
  parked bigint := 0;
begin
  for due in
    select no, account_no, lane, lease_fence, goes_behind, held
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
      resumed := resumed || due.no;
      continue;
    end if;
    -- Its worker is gone, and no request was sent.
    if open_state = 'assigned' then
      delete from task_attempts a where a.task_no = due.no and a.state = 'assigned';
    end if;
    if due.held = 1 then
      update tasks set waits = 2, first_due_at = null, goes_behind = 0, lease_until = null where no = due.no;
      parked := parked + 1;
      continue;
    end if;
    update tasks
    set goes_behind = 0, lease_until = null,
      virtual_start = case
        when due.lease_fence = 0 then greatest(served_virtual_start(due.lane), last_virtual_start(due.account_no, due.lane)) + 1
        else served_virtual_start(due.lane) + 10 * due.goes_behind
      end
    where no = due.no;
  end loop;
  -- Tasks on hold do not count against the limits of their accounts.
  if parked > 0 then perform admit_waiting(null, null, now_ms); end if;
  return resumed;
end $$;

-- `claim_tasks` of 0005. Now it returns the numbers of the claimed tasks only.
create function claim_from_lanes(lanes json, lease_ms bigint, now_ms bigint) returns bigint[] language plpgsql as $$
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
  return claimed;
end $$;

-- The function of 0024. The usual steps of all tasks now run together: submits that begin while no
-- slot pool is restricted, accepted submits, and returns to the queue. All other steps still run one
-- after the other. A batch has at most one step of these kinds for a task, except for repeated
-- calls, so their order does not matter.
create or replace function step_tasks(given json, now_ms bigint) returns table (i int, outcome text, changed_no bigint) language plpgsql as $$
declare
  steps task_step[];
  step task_step;
  task record;
  attempt record;
  others_count bigint;
  -- Positions of the steps that are done.
  done int[];
  missed int[];
  restricted bigint[];
  started bigint[];
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

  select count(*) into others_count from unnest(steps) s where s.kind <> 'renew';
  if others_count = 0 then return; end if;

  with recorded as (
    update task_attempts a
    set state = 'started', operation = s.operation
    from unnest(steps) s
    where s.kind = 'record_operation' and a.task_no = s.no and a.number = s.attempt and a.state = 'starting'
    returning s.i, s.no, s.fence
  )
  select coalesce(array_agg(r.i), '{}'), array_agg(r.i) filter (
    where not exists (select from tasks t where t.no = r.no and t.lease_fence = r.fence and coalesce(t.ended_at, 0) = 0)
  )
  into done, missed
  from recorded r;
  return query select m, 'missed', null::bigint from unnest(missed) m;

  if exists (select from unnest(steps) s where s.kind = 'begin') then
    select coalesce(array_agg(p.no), '{}') into restricted
    from slot_pools p
    where p.unconfirmed_max is not null or is_paused_until(p.paused_until, now_ms);
    with begun as (
      select s.i, s.no, s.attempt, s.fence, t.status
      from unnest(steps) s
      join tasks t on t.no = s.no and t.lease_fence = s.fence and coalesce(t.ended_at, 0) = 0
      join task_attempts a on a.task_no = s.no and a.number = s.attempt and a.state = 'assigned'
      where s.kind = 'begin' and coalesce(a.route_pool <> all (restricted), true) and coalesce(a.upstream_pool <> all (restricted), true)
    ), begun_attempts as (
      update task_attempts a
      set state = 'starting', started_at = now_ms, begun_fence = b.fence
      from begun b
      where a.task_no = b.no and a.number = b.attempt
    ), begun_tasks as (
      update tasks t
      set version = t.version + (b.status = 'queued')::int, status = 'processing', started_at = coalesce(t.started_at, now_ms)
      from begun b
      where t.no = b.no
    )
    select done || coalesce(array_agg(b.i), '{}'), array_agg(b.no) filter (where b.status = 'queued') into done, started from begun b;
    return query select null::int, null::text, n from unnest(started) n;
  end if;

  if exists (select from unnest(steps) s where s.kind = 'release') then
    with released as (
      update tasks t
      set due_at = now_ms, lease_until = null
      from unnest(steps) s
      where s.kind = 'release' and t.no = s.no and t.lease_fence = s.fence and coalesce(t.ended_at, 0) = 0
      returning s.i, t.no
    ), withdrawn as (
      delete from task_attempts a using released r where a.task_no = r.no and a.state = 'assigned'
    )
    select done || coalesce(array_agg(r.i), '{}') into done from released r;
  end if;

  if cardinality(done) = others_count then return; end if;
  foreach step in array steps loop
    continue when step.kind = 'renew' or step.i = any (done);
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
      if not exists (
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
    end if;
    if outcome is not null or changed_no is not null then return next; end if;
  end loop;
end $$;

-- Returns the result of a batch. `claims` and `changed` contain the numbers of tasks, whose rows are
-- read here.
create function batch_result(outcomes json[], claims json, changed bigint[], has_events boolean) returns text
language plpgsql stable as $$
declare
  one record;
begin
  for one in
    select (c ->> 'i')::int as i, (c ->> 'countMax')::bigint as count_max,
      array(select n::bigint from json_array_elements_text(c -> 'tasks') n) as tasks,
      array(select n::bigint from json_array_elements_text(c -> 'fences') n) as fences
    from json_array_elements(claims) c
  loop
    outcomes := outcomes || json_build_array(one.i, case
      when one.count_max is null then json_build_object('kind', 'claimed', 'claims', claimed_rows(one.tasks, one.fences, false))
      else json_build_object(
        'kind', 'due', 'claims', claimed_rows(one.tasks, one.fences, true), 'pools', pool_states(),
        'waiting', (select coalesce(json_agg(w order by w.lane), '[]') from waiting_lanes(one.count_max) w)
      )
    end);
  end loop;
  return json_build_object(
    'outcomes', array_to_json(outcomes),
    'hasEvents', has_events,
    'changed', (
      select json_agg(row_to_json(c))
      from (
        select t.*, r.object_key, r.content_type, r.size_bytes, r.sha256, r.width, r.height, r.duration_ms, r.seed, r.expires_at, r.removed_at,
          case when r.task_no is not null then other_results(t.no) end as other_results
        from tasks t
        -- The limit makes PostgreSQL look up the result of each task. While the statistics of the table
        -- were those of an empty one, it read all results for each batch.
        left join lateral (select * from results r where r.task_no = t.no and r.position = 0 limit 1) r on true
        where t.no = any (changed)
      ) c
    )
  )::text;
end $$;

-- The function of 0022, with these changes. The stored result contains the numbers of tasks instead of
-- their rows, and the fences of claims. It therefore holds no content that may have to be erased.
-- `opened_at` is the time of the last batch; without a batch for a week, the row of a writer is
-- removed, and its next batch adds it again. Brands are locked only if one has limits.
create or replace function write_batch(
  of_writer text, batch_no bigint, given_ms bigint, accounts_touched bigint[], tasks_touched bigint[],
  pools_touched bigint[], pool_changes json, claims json, steps json, ends json, tries json, accepts json
) returns text language plpgsql as $$
declare
  written record;
  stored json;
  now_ms bigint;
  outcomes json[] := '{}';
  taken bigint[];
  claimed json[] := '{}';
  changed bigint[] := '{}';
  begun bigint[] := '{}';
  has_events boolean;
  one record;
begin
  select batch, result into written from writers where id = of_writer for update;
  if not found then
    insert into writers (id, batch, opened_at) values (of_writer, 0, 0);
  elsif written.batch = batch_no then
    stored := written.result::json;
    return batch_result(
      array(select o from json_array_elements(stored -> 'outcomes') o), stored -> 'claims',
      array(select n::bigint from json_array_elements_text(stored -> 'changed') n), (stored ->> 'hasEvents')::boolean
    );
  elsif written.batch > batch_no then
    raise exception 'batch % was overtaken', batch_no;
  end if;

  if exists (select from brands b where coalesce(b.tasks_in_flight_max, b.credits_in_flight_max) is not null) then
    perform from brands b
    where b.no in (select a.brand_no from accounts a where a.no = any (accounts_touched)
        union select a.brand_no from tasks t join accounts a on a.no = t.account_no where t.no = any (tasks_touched))
      and coalesce(b.tasks_in_flight_max, b.credits_in_flight_max) is not null
    order by b.no
    for no key update;
  end if;
  perform from accounts a
  where a.no = any (accounts_touched)
    or (ends is not null and a.no = any (array(select t.account_no from tasks t where t.no = any (tasks_touched))))
  order by a.no
  for no key update;
  perform from tasks t where t.no = any (tasks_touched) order by t.no for no key update;
  perform from slot_pools p where p.no = any (pools_touched) order by p.no for no key update;
  now_ms := coalesce(given_ms, database_ms());

  if pool_changes is not null then perform change_pools(pool_changes, now_ms); end if;
  if claims is not null then
    for one in
      select (c ->> 'i')::int as i, c -> 'lanes' as lanes, (c ->> 'leaseMs')::bigint as lease_ms, (c ->> 'countMax')::bigint as count_max
      from json_array_elements(claims) with ordinality c (c, place)
      order by c.place
    loop
      if one.lanes is null then
        taken := take_due(one.lease_ms, now_ms);
      else
        taken := claim_from_lanes(one.lanes, one.lease_ms, now_ms);
        begun := begun || taken;
      end if;
      claimed := claimed || json_build_object(
        'i', one.i, 'countMax', one.count_max, 'tasks', taken,
        'fences', array(
          select t.lease_fence from unnest(taken) with ordinality c (no, place) join tasks t on t.no = c.no order by c.place
        )
      );
    end loop;
  end if;
  if steps is not null then
    for one in select * from step_tasks(steps, now_ms) loop
      if one.changed_no is not null then changed := changed || one.changed_no; end if;
      if one.outcome is not null then
        outcomes := outcomes || json_build_array(one.i, json_build_object('kind', one.outcome));
      end if;
    end loop;
  end if;
  if ends is not null then
    for one in select * from end_tasks(ends, now_ms) loop
      if one.error is null then
        changed := changed || one.task_no;
        outcomes := outcomes || json_build_array(one.i, json_build_object('kind', 'ended', 'endedAtMs', now_ms, 'charged', one.charged));
      else
        outcomes := outcomes || json_build_array(one.i, json_build_object('kind', 'failed', 'code', 'error', 'message', one.error));
      end if;
    end loop;
  end if;
  if tries is not null then
    for one in
      select * from json_to_recordset(tries) as t (i int, account_no bigint, key_no bigint, price bigint, asset_ids json)
    loop
      outcomes := outcomes || json_build_array(
        one.i, refusal_of(one.account_no, one.key_no, first_task_no_at(now_ms), one.price, one.asset_ids, now_ms)
      );
    end loop;
  end if;
  if accepts is not null then
    for one in select * from accept_tasks(accepts, now_ms) loop
      outcomes := outcomes || json_build_array(one.i, one.outcome);
    end loop;
    -- The key is searched in the JSON text, because most batches have no webhook. Within a JSON
    -- string, the quotation marks of the key would be escaped.
    if position('"webhook_no":' in accepts::text) > 0 then
      insert into task_webhooks (task_no, endpoint_no, url)
      select a.no, a.webhook_no, a.webhook_url
      from json_to_recordset(accepts) as a (no bigint, webhook_no bigint, webhook_url text) join tasks t on t.no = a.no
      where a.webhook_no is not null;
    end if;
  end if;

  has_events := record_events(changed || begun, now_ms);
  stored := json_build_object('outcomes', outcomes, 'claims', claimed, 'changed', changed, 'hasEvents', has_events);
  update writers set batch = batch_no, result = stored, opened_at = database_ms() where id = of_writer;
  return batch_result(outcomes, array_to_json(claimed), changed, has_events);
end $$;

-- The stored results of the earlier function, in the new form.
lock table writers in access exclusive mode;
update writers w
set result = json_build_object(
    'outcomes', (
      select coalesce(json_agg(o), '[]')
      from json_array_elements(w.result::json -> 'outcomes') o
      where o #>> '{1,kind}' is null or o #>> '{1,kind}' not in ('due', 'claimed')
    ),
    'claims', (
      select coalesce(json_agg(json_build_object(
        'i', o -> 0, 'countMax', case o #>> '{1,kind}' when 'due' then 100 end,
        'tasks', (select coalesce(json_agg(c #> '{task,no}'), '[]') from json_array_elements(o #> '{1,claims}') c),
        'fences', (select coalesce(json_agg(c #> '{task,lease_fence}'), '[]') from json_array_elements(o #> '{1,claims}') c)
      )), '[]')
      from json_array_elements(w.result::json -> 'outcomes') o
      where o #>> '{1,kind}' in ('due', 'claimed')
    ),
    'changed', (
      select coalesce(json_agg(c -> 'no'), '[]')
      from json_array_elements(case json_typeof(w.result::json -> 'changed') when 'array' then w.result::json -> 'changed' else '[]' end) c
    ),
    'hasEvents', w.result::json -> 'hasEvents'
  )
where w.result is not null;

