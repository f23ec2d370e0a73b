-- As in 0003, in linear time. A search for the first waiting task of a queue visited all tasks that the
-- same transaction had admitted before, and a search for the next queue visited all earlier versions of
-- its row, because both are removed only after the commit. A check of the limits counted all tasks in
-- flight. A raised limit with more than about ten thousand waiting tasks was therefore never written.

-- The limits on what a key, its account and its brand have in flight, without those that are not set.
create function in_flight_limits(of_account bigint, of_key bigint)
returns table (owner text, no bigint, tasks_max bigint, credits_max bigint) language sql stable as $$
  select l.*
  from (
    select 'key', k.no, k.tasks_in_flight_max, k.credits_in_flight_max from api_keys k where k.no = of_key
    union all
    select 'account', a.no, a.tasks_in_flight_max, a.credits_in_flight_max from accounts a where a.no = of_account
    union all
    select 'brand', b.no, b.tasks_in_flight_max, b.credits_in_flight_max
    from accounts a join brands b on b.no = a.brand_no
    where a.no = of_account
  ) l (owner, no, tasks_max, credits_max)
  where l.tasks_max is not null or l.credits_max is not null
$$;

-- The tasks that such an owner has in flight. `of_account` is the account of a key.
create function count_in_flight(owner text, of_no bigint, of_account bigint, out tasks bigint, out credits bigint)
language plpgsql stable as $$
begin
  if owner = 'brand' then
    select count(*), coalesce(sum(t.price), 0) into tasks, credits
    from accounts a join tasks t on t.account_no = a.no
    where a.brand_no = of_no and t.ended_at is null and t.waits = 0;
  else
    select count(*), coalesce(sum(t.price), 0) into tasks, credits
    from tasks t
    where t.account_no = of_account and (owner = 'account' or t.key_no = of_no) and t.ended_at is null and t.waits = 0;
  end if;
end $$;

create or replace function admit_waiting(of_accounts bigint[], of_brands bigint[], now_ms bigint) returns void language plpgsql as $$
declare
  line record;
  head record;
  is_admitted boolean;
  is_full boolean;
  limits record;
  counted record;
  limit_name text;
  limit_names text[];
  -- What each owner of a limit has in flight, counted at the first check and increased since.
  tasks_in_flight jsonb := '{}';
  credits_in_flight jsonb := '{}';
  -- The last admitted task of each queue, after which searches begin, and the number of this admission.
  last_admitted jsonb := '{}';
  last_served jsonb := '{}';
begin
  if not exists (select from wait_queues) then return; end if;
  loop
    is_admitted := false;
    for line in
      select q.account_no, q.key_no, q.name
      from (
        select l.account_no, l.key_no, n.name, coalesce((last_served ->> n.name)::bigint, l.served) as served
        from wait_queues l
        join accounts a on a.no = l.account_no
        cross join lateral (select l.account_no || '/' || l.key_no as name) n
        where of_accounts is null or l.account_no = any (of_accounts) or a.brand_no = any (of_brands)
      ) q
      order by
        max(q.served) over (partition by q.account_no) nulls first,
        q.served nulls first,
        (
          select min(t.no)
          from tasks t
          where t.waits = 1 and t.account_no = q.account_no and coalesce(t.key_no, 0) = q.key_no
            and t.no > coalesce((last_admitted ->> q.name)::bigint, 0)
        )
    loop
      select no, price, lane into head
      from tasks
      where waits = 1 and account_no = line.account_no and coalesce(key_no, 0) = line.key_no
        and no > coalesce((last_admitted ->> line.name)::bigint, 0)
      order by no
      limit 1;
      if not found and last_admitted ? line.name then
        -- Another process may have created a task with a lower number in the meantime.
        last_admitted := last_admitted - line.name;
        is_admitted := true;
        exit;
      end if;
      if not found then
        delete from wait_queues where account_no = line.account_no and key_no = line.key_no;
        continue;
      end if;
      is_full := false;
      limit_names := '{}';
      for limits in select * from in_flight_limits(line.account_no, nullif(line.key_no, 0)) loop
        limit_name := limits.owner || '/' || limits.no;
        limit_names := limit_names || limit_name;
        if not tasks_in_flight ? limit_name then
          select * into counted from count_in_flight(limits.owner, limits.no, line.account_no);
          tasks_in_flight := tasks_in_flight || jsonb_build_object(limit_name, counted.tasks);
          credits_in_flight := credits_in_flight || jsonb_build_object(limit_name, counted.credits);
        end if;
        is_full := is_full or passed_limit(
          limits.owner, (tasks_in_flight ->> limit_name)::bigint, (credits_in_flight ->> limit_name)::bigint,
          limits.tasks_max, limits.credits_max, head.price
        ) is not null;
      end loop;
      continue when is_full;
      update tasks
      set waits = 0, virtual_start = greatest(served_virtual_start(head.lane), last_virtual_start(line.account_no, head.lane)) + 1, due_at = now_ms
      where no = head.no;
      foreach limit_name in array limit_names loop
        tasks_in_flight := tasks_in_flight
          || jsonb_build_object(limit_name, (tasks_in_flight ->> limit_name)::bigint + 1);
        credits_in_flight := credits_in_flight
          || jsonb_build_object(limit_name, (credits_in_flight ->> limit_name)::bigint + head.price);
      end loop;
      last_admitted := last_admitted || jsonb_build_object(line.name, head.no);
      last_served := last_served || jsonb_build_object(line.name, nextval('admissions'));
      is_admitted := true;
      exit;
    end loop;
    exit when not is_admitted;
  end loop;
  if last_served = '{}' then return; end if;
  update wait_queues l
  set served = s.value::bigint
  from jsonb_each_text(last_served) s
  where l.account_no = split_part(s.key, '/', 1)::bigint and l.key_no = split_part(s.key, '/', 2)::bigint;
end $$;
