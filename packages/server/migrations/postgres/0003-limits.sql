-- Limits on what a key, an account and a brand have in flight, and on what a key spends. They are counted when they are checked.
-- The rows of the account, and of a brand with limits, are locked, so counts are exact.

-- The limit that another task at this price would exceed; null: none.
create function passed_limit(whose text, tasks bigint, credits bigint, tasks_max bigint, credits_max bigint, price bigint)
returns json language sql immutable as $$
  select case
    when tasks + 1 > tasks_max then json_build_object('kind', 'too_many_in_flight', 'whose', whose, 'limit', 'tasks', 'max', tasks_max)
    when credits + price > credits_max
      then json_build_object('kind', 'too_many_in_flight', 'whose', whose, 'limit', 'credits', 'max', credits_max)
  end
$$;

-- The limit that another task would exceed: of the key, the account or the brand.
create function fullness_of(of_account bigint, of_key bigint, of_price bigint) returns json language plpgsql as $$
declare
  limits record;
  counted record;
  passed json;
begin
  if of_key is not null then
    select tasks_in_flight_max, credits_in_flight_max into limits from api_keys where no = of_key;
    if limits.tasks_in_flight_max is not null or limits.credits_in_flight_max is not null then
      select count(*) as tasks, coalesce(sum(price), 0) as credits into counted
      from tasks
      where account_no = of_account and key_no = of_key and ended_at is null and waits = 0;
      passed := passed_limit('key', counted.tasks, counted.credits::bigint, limits.tasks_in_flight_max, limits.credits_in_flight_max, of_price);
      if passed is not null then return passed; end if;
    end if;
  end if;
  select a.brand_no, a.tasks_in_flight_max, a.credits_in_flight_max, b.tasks_in_flight_max as brand_tasks_max,
    b.credits_in_flight_max as brand_credits_max
  into limits
  from accounts a join brands b on b.no = a.brand_no
  where a.no = of_account;
  if limits.tasks_in_flight_max is not null or limits.credits_in_flight_max is not null then
    select count(*) as tasks, coalesce(sum(price), 0) as credits into counted
    from tasks
    where account_no = of_account and ended_at is null and waits = 0;
    passed := passed_limit('account', counted.tasks, counted.credits::bigint, limits.tasks_in_flight_max, limits.credits_in_flight_max, of_price);
    if passed is not null then return passed; end if;
  end if;
  if limits.brand_tasks_max is null and limits.brand_credits_max is null then return null; end if;
  select count(*) as tasks, coalesce(sum(t.price), 0) as credits into counted
  from accounts a join tasks t on t.account_no = a.no
  where a.brand_no = limits.brand_no and t.ended_at is null and t.waits = 0;
  return passed_limit('brand', counted.tasks, counted.credits::bigint, limits.brand_tasks_max, limits.brand_credits_max, of_price);
end $$;

-- Whether the task by itself exceeds a limit, so that it could wait forever.
create function is_too_large(of_account bigint, of_key bigint, of_price bigint) returns boolean language sql stable as $$
  select of_price > least(a.credits_in_flight_max, b.credits_in_flight_max, k.credits_in_flight_max)
    is true or least(a.tasks_in_flight_max, b.tasks_in_flight_max, k.tasks_in_flight_max) = 0 is true
  from accounts a join brands b on b.no = a.brand_no left join api_keys k on k.no = of_key
  where a.no = of_account
$$;

-- Charges and holds of the key's tasks that were accepted on this day or later.
create function spent_since(of_account bigint, of_key bigint, since_day bigint) returns bigint language sql stable as $$
  select (
    coalesce((select sum(charged) from usage where account_no = of_account and key_no = of_key and day >= since_day), 0)
    + coalesce((
      select sum(price)
      from tasks
      where account_no = of_account and key_no = of_key and ended_at is null and no >= first_task_no_at(since_day * 86400000)
    ), 0)
  )::bigint
$$;

-- The daily or monthly spending limit of the key that this price would exceed; null: none.
create function overspending_of(of_account bigint, of_key bigint, of_task bigint, of_price bigint) returns json language plpgsql as $$
declare
  limits record;
  spent bigint;
begin
  if of_key is null then return null; end if;
  select spent_per_day_max as day_max, spent_per_month_max as month_max into limits from api_keys where no = of_key;
  if limits.day_max is not null then
    spent := spent_since(of_account, of_key, day_of_task(of_task));
    if spent + of_price > limits.day_max then
      return json_build_object('kind', 'spending_limit', 'period', 'day', 'max', limits.day_max, 'spent', spent);
    end if;
  end if;
  if limits.month_max is not null then
    spent := spent_since(of_account, of_key, first_day_of_month(day_of_task(of_task)));
    if spent + of_price > limits.month_max then
      return json_build_object('kind', 'spending_limit', 'period', 'month', 'max', limits.month_max, 'spent', spent);
    end if;
  end if;
  return null;
end $$;

-- The virtual start that is being served in a lane. The first task of an account starts just above it. Tasks that were claimed
-- before are queued ahead of it.
create function served_virtual_start(of_lane bigint) returns bigint language sql stable as $$
  select coalesce((
    select case when t.lease_fence = 0 then t.virtual_start - 1 else t.virtual_start end
    from tasks t
    where t.lane = of_lane and t.virtual_start is not null
    -- With `t.`: otherwise it sorts by the output column of the same name, for which there is no index.
    order by t.virtual_start, t.no
    limit 1
  ), 0)
$$;

-- The highest virtual start of an account's tasks that were never claimed. Tasks that were queued again do not delay the others.
create function last_virtual_start(of_account bigint, of_lane bigint) returns bigint language sql stable as $$
  select coalesce((
    select virtual_start
    from tasks
    where account_no = of_account and lane = of_lane and ended_at is null and (virtual_start is null or lease_fence = 0)
    order by virtual_start desc nulls last
    limit 1
  ), 0)
$$;

-- Admits waiting tasks of these accounts, and of all accounts of these brands, as far as limits allow: one task per queue in
-- turn, and one account after the other. Null: of all accounts.
create function admit_waiting(of_accounts bigint[], of_brands bigint[], now_ms bigint) returns void language plpgsql as $$
declare
  line record;
  head record;
  is_admitted boolean;
begin
  if not exists (select from wait_queues) then return; end if;
  loop
    is_admitted := false;
    for line in
      select l.account_no, l.key_no
      from wait_queues l join accounts a on a.no = l.account_no
      where of_accounts is null or l.account_no = any (of_accounts) or a.brand_no = any (of_brands)
      order by
        max(l.served) over (partition by l.account_no) nulls first,
        l.served nulls first,
        (select min(t.no) from tasks t where t.waits = 1 and t.account_no = l.account_no and coalesce(t.key_no, 0) = l.key_no)
    loop
      select no, price, lane into head
      from tasks
      where waits = 1 and account_no = line.account_no and coalesce(key_no, 0) = line.key_no
      order by no
      limit 1;
      if not found then
        delete from wait_queues where account_no = line.account_no and key_no = line.key_no;
        continue;
      end if;
      continue when fullness_of(line.account_no, nullif(line.key_no, 0), head.price) is not null;
      update tasks
      set waits = 0, virtual_start = greatest(served_virtual_start(head.lane), last_virtual_start(line.account_no, head.lane)) + 1, due_at = now_ms
      where no = head.no;
      update wait_queues set served = nextval('admissions') where account_no = line.account_no and key_no = line.key_no;
      is_admitted := true;
      exit;
    end loop;
    exit when not is_admitted;
  end loop;
end $$;

create function admit_after_change() returns trigger language plpgsql as $$
begin
  perform admit_waiting(null, null, database_ms());
  return null;
end $$;
create trigger brands_admit after update of tasks_in_flight_max, credits_in_flight_max on brands execute function admit_after_change();
create trigger accounts_admit after update of tasks_in_flight_max, credits_in_flight_max, over_limit on accounts
  execute function admit_after_change();
create trigger api_keys_admit after update of tasks_in_flight_max, credits_in_flight_max on api_keys
  execute function admit_after_change();
