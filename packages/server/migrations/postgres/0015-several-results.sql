-- A task can have several results. The first has position 0, and the others follow. When a task
-- ends, `more` contains the results after the first, and `produced_ms` the total duration of all
-- its videos. A process of an earlier version sends neither.
alter type task_end add attribute more json, add attribute produced_ms bigint;

-- Returns the results of a task after the first as a JSON array, in their order. Returns null if
-- there are none.
create function other_results(of_task bigint) returns text stable language sql as $$
  select json_agg(row_to_json(r) order by r.position)::text from results r where r.task_no = of_task and r.position > 0
$$;

-- The function of 0011, which now writes all results. Returns the position of each operation that
-- ended a task. For an operation whose charge exceeds the hold, it also returns an error.
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

-- The function of 0007. The changed tasks that it returns now contain all their results.
create or replace function write_batch(
  of_writer text, batch_no bigint, given_ms bigint, accounts_touched bigint[], tasks_touched bigint[],
  pools_touched bigint[], pool_changes json, claims json, steps json, ends json, tries json, accepts json
) returns text language plpgsql as $$
declare
  written record;
  now_ms bigint;
  outcomes json[] := '{}';
  changed bigint[] := '{}';
  one record;
  result_text text;
begin
  select batch, result into written from writers where id = of_writer for update;
  if not found then raise exception 'the writer % is not known', of_writer; end if;
  if written.batch = batch_no then return written.result; end if;
  if written.batch > batch_no then raise exception 'batch % was overtaken', batch_no; end if;

  perform from brands b
  where b.no in (select a.brand_no from accounts a where a.no = any (accounts_touched)
      union select a.brand_no from tasks t join accounts a on a.no = t.account_no where t.no = any (tasks_touched))
    and coalesce(b.tasks_in_flight_max, b.credits_in_flight_max) is not null
  order by b.no
  for no key update;
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
      outcomes := outcomes || json_build_array(one.i, case
        when one.lanes is null then take_due(one.lease_ms, one.count_max, now_ms)
        else json_build_object('kind', 'claimed', 'claims', claim_tasks(one.lanes, one.lease_ms, now_ms))
      end);
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
  end if;

  result_text := json_build_object(
    'outcomes', array_to_json(outcomes),
    'changed', (
      select json_agg(row_to_json(c))
      from (
        select t.*, r.object_key, r.content_type, r.size_bytes, r.sha256, r.width, r.height, r.duration_ms, r.seed, r.expires_at, r.removed_at,
          case when r.task_no is not null then other_results(t.no) end as other_results
        from tasks t left join results r on r.task_no = t.no and r.position = 0
        where t.no = any (changed)
      ) c
    )
  )::text;
  update writers set batch = batch_no, result = result_text where id = of_writer;
  return result_text;
end $$;
