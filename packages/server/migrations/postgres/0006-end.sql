-- Ends tasks and their holds, and admits tasks that waited for that. Accounts and tasks are locked (write_batch). If a task is
-- ended twice, the first valid end wins, and the second is reported as refused.

create type task_end as (
  i int, kind text, no bigint, fence bigint, charge bigint, code text, message text, detail text, cost double precision, cost_unit text,
  unresolved text, object_key text, content_type text, size_bytes bigint, sha256 text, width bigint, height bigint, duration_ms bigint,
  seed bigint, expires_ms bigint
);

-- Returns the positions of those that ended a task, and with an error those that charge more than was held.
create function end_tasks(given json, now_ms bigint) returns table (i int, task_no bigint, charged bigint, error text) language plpgsql as $$
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
      unresolved = case when t.snapshot_no > 0 and t.state <> 'assigned' then a.unresolved end,
      holds_slot = case when a.unresolved = 'overdue' and t.state <> 'assigned' then t.holds_slot else 0 end, ended_at = now_ms
    from allowed a
    where t.task_no = a.no and t.state in ('assigned', 'starting', 'started')
  ), without_images as (
    delete from task_images p using allowed a where p.task_no = a.no
  ), unneeded as (
    delete from task_assets n using allowed a where n.task_no = a.no
  ), used as (
    insert into usage as u (account_no, key_no, day, model, completed, failed, charged, produced_ms)
    select a.account_no, a.key_no, day_of_task(a.no), a.model, count(*) filter (where a.kind = 'complete'),
      count(*) filter (where a.kind <> 'complete'), sum(a.charges), coalesce(sum(a.duration_ms), 0)
    from allowed a
    group by 1, 2, 3, 4
    on conflict on constraint usage_pkey do update
    set completed = u.completed + excluded.completed, failed = u.failed + excluded.failed, charged = u.charged + excluded.charged,
      produced_ms = u.produced_ms + excluded.produced_ms
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
