-- Limits on the credits in flight of accounts and brands that are reserved for a waiting task. Such a
-- task needs the whole limit, because the limit was lowered to its price or below. It starts when the
-- owner of the limit has nothing else in flight. Until then, no later task under this limit starts.
create table reserved_limits (
  -- `account` or `brand`.
  owner text not null,
  no bigint not null,
  task_no bigint not null,
  primary key (owner, no)
) with (fillfactor = 50);

-- The task for which a limit is reserved. Null: there is none, or it no longer waits for this limit.
create function reserving_task(of_owner text, of_no bigint) returns bigint language plpgsql stable as $$
begin
  return (
    select t.no
    from reserved_limits r
    join tasks t on t.no = r.task_no and t.waits = 1
    join accounts a on a.no = t.account_no
    where r.owner = of_owner and r.no = of_no and of_no = case of_owner when 'account' then a.no else a.brand_no end
  );
end $$;

-- The function of 0030, which let tasks start under a limit that is reserved.
create or replace function fullness_of(of_account bigint, of_key bigint, of_price bigint) returns json language plpgsql as $$
declare
  limits record;
  counted record;
  passed json;
begin
  for limits in
    select l.* from in_flight_limits(of_account, of_key) l order by array_position(array['key', 'account', 'brand'], l.owner)
  loop
    select * into counted from count_in_flight(limits.owner, limits.no, of_account);
    passed := passed_limit(limits.owner, counted.tasks, counted.credits, limits.tasks_max, limits.credits_max, of_price);
    if passed is not null then return passed; end if;
    if reserving_task(limits.owner, limits.no) is not null then
      return json_build_object('kind', 'too_many_in_flight', 'whose', limits.owner, 'limit', 'credits', 'max', limits.credits_max);
    end if;
  end loop;
  return null;
end $$;

-- The function of 0033, in which smaller tasks of other keys or accounts started before a task that
-- needs the whole limit, which waited forever if they kept coming. It now reserves the limit.
create or replace function admit_waiting(of_accounts bigint[], of_brands bigint[], now_ms bigint) returns void language plpgsql as $$
declare
  line record;
  head record;
  is_full boolean;
  -- Whether an earlier task has reserved one of its limits.
  is_behind boolean;
  passed text;
  -- The innermost limit that the first task of a queue would exceed.
  blocking record;
  needs_whole_limit boolean;
  has_reserved boolean;
  -- Whether another pass could admit more tasks.
  goes_on boolean;
  limits record;
  counted record;
  limit_name text;
  is_at_limit boolean;
  full_brands bigint[] := '{}';
  admitted_accounts bigint[];
  admitted bigint[] := '{}';
  -- What each owner of a limit has in flight, counted at the first check and increased since.
  tasks_in_flight jsonb := '{}';
  credits_in_flight jsonb := '{}';
  -- The last admitted task of each queue, after which searches begin, and the number of this admission.
  last_admitted jsonb := '{}';
  last_served jsonb := '{}';
begin
  if not exists (select from wait_queues) then return; end if;
  delete from reserved_limits r
  where (
      of_accounts is null
      or r.owner = 'account' and r.no = any (of_accounts)
      or r.owner = 'brand' and r.no = any (of_brands)
    )
    and not exists (select from tasks t where t.no = r.task_no and t.waits = 1);
  has_reserved := exists (select from reserved_limits);
  loop
    goes_on := false;
    admitted_accounts := '{}';
    for line in
      select q.account_no, q.key_no, q.brand_no, q.name
      from (
        select l.account_no, l.key_no, a.brand_no, n.name, coalesce((last_served ->> n.name)::bigint, l.served) as served
        from wait_queues l
        join accounts a on a.no = l.account_no
        cross join lateral (select l.account_no || '/' || l.key_no as name) n
        where (of_accounts is null or l.account_no = any (of_accounts) or a.brand_no = any (of_brands))
          and a.brand_no <> all (full_brands)
          and (
            a.tasks_in_flight_max is null
            or a.tasks_in_flight_max > (select coalesce(sum(c.tasks), 0) from in_flight_counts c where c.account_no = a.no)
          )
      ) q
      order by
        max(q.served) over (partition by q.account_no) nulls first,
        q.served nulls first,
        (
          select min(t.no)
          from tasks t
          where t.waits = 1 and t.virtual_start is null and t.account_no = q.account_no and coalesce(t.key_no, 0) = q.key_no
            and t.no > coalesce((last_admitted ->> q.name)::bigint, 0)
        )
    loop
      continue when line.brand_no = any (full_brands) or line.account_no = any (admitted_accounts);
      select no, price, lane into head
      from tasks
      where waits = 1 and virtual_start is null and account_no = line.account_no and coalesce(key_no, 0) = line.key_no
        and no > coalesce((last_admitted ->> line.name)::bigint, 0)
      order by no
      limit 1;
      if not found and last_admitted ? line.name then
        -- Another process may have created a task with a lower number in the meantime.
        last_admitted := last_admitted - line.name;
        goes_on := true;
        continue;
      end if;
      if not found then
        delete from wait_queues where account_no = line.account_no and key_no = line.key_no;
        continue;
      end if;
      is_full := false;
      is_behind := false;
      needs_whole_limit := false;
      for limits in
        select l.*
        from in_flight_limits(line.account_no, nullif(line.key_no, 0)) l
        order by array_position(array['key', 'account', 'brand'], l.owner)
      loop
        limit_name := limits.owner || '/' || limits.no;
        if not tasks_in_flight ? limit_name then
          select * into counted from count_in_flight(limits.owner, limits.no, line.account_no);
          tasks_in_flight := tasks_in_flight || jsonb_build_object(limit_name, counted.tasks);
          credits_in_flight := credits_in_flight || jsonb_build_object(limit_name, counted.credits);
        end if;
        passed := passed_limit(
          limits.owner, (tasks_in_flight ->> limit_name)::bigint, (credits_in_flight ->> limit_name)::bigint,
          limits.tasks_max, limits.credits_max, least(head.price, limits.credits_max)
        ) ->> 'limit';
        if passed is not null and not is_full then
          is_full := true;
          blocking := limits;
          needs_whole_limit := passed = 'credits' and head.price >= limits.credits_max and limits.owner <> 'key';
        end if;
        is_behind := is_behind or has_reserved and coalesce(reserving_task(limits.owner, limits.no) < head.no, false);
        if limits.owner = 'brand' and (tasks_in_flight ->> limit_name)::bigint >= limits.tasks_max then
          full_brands := full_brands || limits.no;
        end if;
      end loop;
      if is_full and has_reserved then
        delete from reserved_limits r
        where r.task_no = head.no and not (needs_whole_limit and r.owner = blocking.owner and r.no = blocking.no);
        goes_on := goes_on or found;
      end if;
      if needs_whole_limit then
        insert into reserved_limits as r values (blocking.owner, blocking.no, head.no)
        on conflict (owner, no) do update set task_no = excluded.task_no
        where r.task_no <> excluded.task_no and coalesce(reserving_task(r.owner, r.no) > excluded.task_no, true);
        has_reserved := true;
      end if;
      continue when is_full or is_behind;
      update tasks
      set virtual_start = greatest(served_virtual_start(head.lane), last_virtual_start(line.account_no, head.lane)) + 1, due_at = now_ms
      where no = head.no and waits = 1;
      if not found then
        -- Another process has ended it in the meantime.
        goes_on := true;
        continue;
      end if;
      if has_reserved then
        delete from reserved_limits r where r.task_no = head.no;
        goes_on := goes_on or found;
      end if;
      is_at_limit := false;
      for limits in select * from in_flight_limits(line.account_no, nullif(line.key_no, 0)) loop
        limit_name := limits.owner || '/' || limits.no;
        tasks_in_flight := tasks_in_flight
          || jsonb_build_object(limit_name, (tasks_in_flight ->> limit_name)::bigint + 1);
        credits_in_flight := credits_in_flight
          || jsonb_build_object(limit_name, (credits_in_flight ->> limit_name)::bigint + head.price);
        continue when limits.owner = 'key' or ((tasks_in_flight ->> limit_name)::bigint >= limits.tasks_max) is not true;
        is_at_limit := true;
        if limits.owner = 'brand' then full_brands := full_brands || limits.no; end if;
      end loop;
      goes_on := goes_on or not is_at_limit;
      last_admitted := last_admitted || jsonb_build_object(line.name, head.no);
      last_served := last_served || jsonb_build_object(line.name, nextval('admissions'));
      admitted_accounts := admitted_accounts || line.account_no;
      admitted := admitted || head.no;
    end loop;
    exit when not goes_on;
  end loop;
  if admitted = '{}' then return; end if;
  update tasks set waits = 0 where no = any (admitted);
  update wait_queues l
  set served = s.value::bigint
  from jsonb_each_text(last_served) s
  where l.account_no = split_part(s.key, '/', 1)::bigint and l.key_no = split_part(s.key, '/', 2)::bigint;
end $$;
