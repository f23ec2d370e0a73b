-- Accepts tasks. Their accounts are locked (write_batch). Tasks of accounts without limits whose balance covers the whole batch
-- are inserted together; the others one by one.

create type new_task as (
  i int, no bigint, tail text, account_no bigint, key_no bigint, model text, object text, parameters text, images text, asset_ids json,
  price bigint, price_no bigint, delay_ms bigint, key text, digest text, lane bigint
);

-- Why a task at this price is refused; null: it is accepted, or waits.
create function refusal_of(
  of_account bigint, of_key bigint, of_task bigint, of_price bigint, of_assets json, now_ms bigint
) returns json language plpgsql as $$
declare
  missing json;
  refusal json;
  account record;
begin
  if of_assets is not null then
    -- Either the asset's deletion came first and the task is refused, or it comes later and the file stays for the task.
    perform from assets where id in (select json_array_elements_text(of_assets)) order by no for share;
    select json_agg(wanted.id order by wanted.place) into missing
    from json_array_elements_text(of_assets) with ordinality as wanted (id, place)
    where not exists (
      select from assets a where a.id = wanted.id and a.account_no = of_account and a.stored_at is not null and a.deleted_at is null
    );
    if missing is not null then return json_build_object('kind', 'assets_missing', 'ids', missing); end if;
  end if;
  refusal := overspending_of(of_account, of_key, of_task, of_price);
  if refusal is not null then return refusal; end if;
  perform expire_account(of_account, now_ms);
  select balance, over_limit into account from accounts where no = of_account;
  if not found then raise exception 'there is no account %', of_account; end if;
  if account.balance < of_price then return json_build_object('kind', 'insufficient_credits', 'balance', account.balance); end if;
  refusal := fullness_of(of_account, of_key, of_price);
  if refusal is null or (account.over_limit = 'wait' and not is_too_large(of_account, of_key, of_price)) then return null; end if;
  return refusal;
end $$;

-- Result for an idempotency key that was used before: the first task, or a conflict. Null: the key is new.
create function replay_of(task new_task, now_ms bigint) returns json language sql stable as $$
  select case
    when t.model = task.model and t.parameters = task.parameters and k.digest = task.digest
      then json_build_object('kind', 'replayed', 'no', t.no, 'tail', t.tail)
    else json_build_object('kind', 'key_reused')
  end
  from idempotency_keys k join tasks t on t.no = k.task_no
  where k.account_no = task.account_no and k.key = task.key and k.task_no >= first_task_no_at(now_ms - 86400000)
$$;

create function accept_alone(task new_task, now_ms bigint) returns json language plpgsql as $$
declare
  refusal json;
  must_wait boolean;
  virtual_start bigint;
  entry_no bigint;
begin
  if task.key is not null then
    refusal := replay_of(task, now_ms);
    if refusal is not null then return refusal; end if;
  end if;
  refusal := refusal_of(task.account_no, task.key_no, task.no, task.price, task.asset_ids, now_ms);
  if refusal is not null then return refusal; end if;
  must_wait := exists (
    select from tasks t where t.waits = 1 and t.account_no = task.account_no and coalesce(t.key_no, 0) = coalesce(task.key_no, 0)
  ) or fullness_of(task.account_no, task.key_no, task.price) is not null;
  if not must_wait and task.delay_ms = 0 then
    virtual_start := greatest(served_virtual_start(task.lane), last_virtual_start(task.account_no, task.lane)) + 1;
  end if;
  insert into tasks (no, tail, account_no, key_no, model, object, parameters, status, price, price_no, due_at, lane, virtual_start, waits)
  values (
    task.no, task.tail, task.account_no, task.key_no, task.model, task.object, task.parameters, 'queued', task.price, task.price_no,
    now_ms + task.delay_ms, task.lane, virtual_start, must_wait::int
  );
  entry_no := append_entry(task.account_no, task.no, 'hold', -task.price, task.price, now_ms);
  perform take_from_grants(task.account_no, entry_no, task.no, task.price);
  if must_wait then
    insert into wait_queues (account_no, key_no) values (task.account_no, coalesce(task.key_no, 0)) on conflict do nothing;
  end if;
  if task.images is not null then insert into task_images values (task.no, task.images); end if;
  if task.asset_ids is not null then
    insert into task_assets
    select task.no, a.no from assets a where a.id in (select json_array_elements_text(task.asset_ids))
    on conflict do nothing;
  end if;
  if task.key is not null then
    insert into idempotency_keys values (task.account_no, task.key, task.no, task.digest)
    on conflict (account_no, key) do update set task_no = excluded.task_no, digest = excluded.digest;
  end if;
  return null;
end $$;

-- Returns the outcomes other than acceptance, by the positions of the tasks.
create function accept_tasks(given json, now_ms bigint) returns table (i int, outcome json) language plpgsql as $$
declare
  tasks_given new_task[];
  together bigint[];
  answered int[] := '{}';
  one record;
begin
  select array_agg(t order by t.i) into tasks_given from json_populate_recordset(null::new_task, given) t;

  -- The primary key finds a number that another process has used for another task; the same task twice is a bug.
  if cardinality(tasks_given) = 1 and exists (select from tasks t where t.no = tasks_given[1].no and t.tail = tasks_given[1].tail) then
    raise exception 'the task % is there already', tasks_given[1].no;
  end if;

  for one in select a.no from accounts a where a.has_grants and a.no in (select g.account_no from unnest(tasks_given) g) order by a.no loop
    perform expire_account(one.no, now_ms);
  end loop;

  if exists (select from unnest(tasks_given) g where g.key is not null) then
    for one in
      select g.i, replay_of(g, now_ms) as replay from unnest(tasks_given) g where g.key is not null
    loop
      continue when one.replay is null;
      i := one.i;
      outcome := one.replay;
      answered := answered || i;
      return next;
    end loop;
  end if;

  -- Accounts whose tasks can be inserted together.
  select array_agg(a.no) into together
  from (
    select g.account_no, sum(g.price) as price,
      count(g.key) = count(distinct g.key) and bool_and(g.asset_ids is null) as is_simple,
      array_agg(distinct g.key_no) as keys
    from unnest(tasks_given) g
    where g.i <> all (answered)
    group by g.account_no
  ) wanted
  join accounts a on a.no = wanted.account_no
  join brands b on b.no = a.brand_no
  where wanted.is_simple
    and wanted.price <= a.balance
    and coalesce(a.tasks_in_flight_max, a.credits_in_flight_max, b.tasks_in_flight_max, b.credits_in_flight_max) is null
    and not exists (select from api_keys k where k.no = any (wanted.keys) and k.is_limited);

  if together is not null then
    with accepted as (
      select g.* from unnest(tasks_given) g where g.account_no = any (together) and g.i <> all (answered)
    ), served as materialized (
      select l.lane, served_virtual_start(l.lane) as virtual_start from (select distinct g.lane from accepted g) l
    ), lines as (
      select l.account_no, l.lane, greatest(s.virtual_start, last_virtual_start(l.account_no, l.lane)) as behind
      from (select distinct g.account_no, g.lane from accepted g where g.delay_ms = 0) l join served s on s.lane = l.lane
    ), written as (
      insert into tasks (no, tail, account_no, key_no, model, object, parameters, status, price, price_no, due_at, lane, virtual_start)
      select g.no, g.tail, g.account_no, g.key_no, g.model, g.object, g.parameters, 'queued', g.price, g.price_no, now_ms + g.delay_ms,
        g.lane,
        case when g.delay_ms = 0
          then l.behind + count(*) filter (where g.delay_ms = 0) over (partition by g.account_no, g.lane order by g.i)
        end
      from accepted g left join lines l on l.account_no = g.account_no and l.lane = g.lane
      order by g.i
    ), held as (
      insert into entries (account_no, position, task_no, kind, amount, held, balance_after, at)
      select g.account_no, a.last_position + row_number() over of_account, g.no, 'hold', -g.price, g.price,
        a.balance - sum(g.price) over of_account, greatest(a.last_at, now_ms)
      from accepted g join accounts a on a.no = g.account_no
      window of_account as (partition by g.account_no order by g.i)
      order by g.i
    ), moved as (
      update accounts a
      set balance = a.balance - m.price, held = a.held + m.price, last_position = a.last_position + m.lines,
        last_at = greatest(a.last_at, now_ms)
      from (select g.account_no, sum(g.price) as price, count(*) as lines from accepted g group by g.account_no) m
      where a.no = m.account_no
    ), with_images as (
      insert into task_images select g.no, g.images from accepted g where g.images is not null
    )
    insert into idempotency_keys
    select g.account_no, g.key, g.no, g.digest from accepted g where g.key is not null
    on conflict (account_no, key) do update set task_no = excluded.task_no, digest = excluded.digest;

    for one in
      select e.no as entry_no, e.account_no, e.task_no, -e.amount as price
      from unnest(tasks_given) g
      join accounts a on a.no = g.account_no and a.has_grants
      join entries e on e.task_no = g.no and (e.kind = 'hold') = true
      where g.account_no = any (together) and g.i <> all (answered)
      order by g.i
    loop
      perform take_from_grants(one.account_no, one.entry_no, one.task_no, one.price);
    end loop;
  end if;

  for one in
    select g as task, g.i from unnest(tasks_given) g
    where g.i <> all (answered) and (together is null or g.account_no <> all (together))
    order by g.i
  loop
    i := one.i;
    outcome := accept_alone(one.task, now_ms);
    if outcome is not null then return next; end if;
  end loop;
end $$;
