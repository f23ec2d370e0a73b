-- As in 0003, in linear time. Every search for the first waiting task of a queue visited all tasks that
-- the same transaction had admitted before, because their index entries are removed only after its
-- commit. A raised limit with more than about ten thousand waiting tasks was therefore never written.
create or replace function admit_waiting(of_accounts bigint[], of_brands bigint[], now_ms bigint) returns void language plpgsql as $$
declare
  line record;
  head record;
  is_admitted boolean;
  -- The last admitted task of each queue. Searches begin after it.
  last_admitted jsonb := '{}';
  queue text;
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
        (
          select min(t.no)
          from tasks t
          where t.waits = 1 and t.account_no = l.account_no and coalesce(t.key_no, 0) = l.key_no
            and t.no > coalesce((last_admitted ->> (l.account_no || '/' || l.key_no))::bigint, 0)
        )
    loop
      queue := line.account_no || '/' || line.key_no;
      select no, price, lane into head
      from tasks
      where waits = 1 and account_no = line.account_no and coalesce(key_no, 0) = line.key_no
        and no > coalesce((last_admitted ->> queue)::bigint, 0)
      order by no
      limit 1;
      if not found and last_admitted ? queue then
        -- Another process may have created a task with a lower number in the meantime.
        last_admitted := last_admitted - queue;
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
      update wait_queues set served = nextval('admissions') where account_no = line.account_no and key_no = line.key_no;
      last_admitted := last_admitted || jsonb_build_object(queue, head.no);
      is_admitted := true;
      exit;
    end loop;
    exit when not is_admitted;
  end loop;
end $$;
