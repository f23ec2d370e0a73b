-- As in 0003, in linear time. A search for the first waiting task of a queue visited all tasks that the
-- same transaction had admitted before, and a search for the next queue visited all earlier versions of
-- its row, because both are removed only after the commit. A raised limit with more than about ten
-- thousand waiting tasks was therefore never written.
create or replace function admit_waiting(of_accounts bigint[], of_brands bigint[], now_ms bigint) returns void language plpgsql as $$
declare
  line record;
  head record;
  is_admitted boolean;
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
      continue when fullness_of(line.account_no, nullif(line.key_no, 0), head.price) is not null;
      update tasks
      set waits = 0, virtual_start = greatest(served_virtual_start(head.lane), last_virtual_start(line.account_no, head.lane)) + 1, due_at = now_ms
      where no = head.no;
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
