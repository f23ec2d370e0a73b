-- A restored copy of an installation does not know about jobs that were started after the backup. Its unfinished tasks make no
-- further attempt until an operator releases them (decision 0023).
--   held 0    no restriction
-- held 1    no further attempt; without an open attempt the task is not in the queue, and `waits` is 2
-- held 2    released: before a submit the upstream is searched for a job of the same attempt, if it can be searched
alter table tasks add column held bigint not null default 0;
create index tasks_held_idx on tasks (no) where waits = 2;

-- Puts all unfinished tasks on hold. A task with a started attempt resumes it first: its job is known, or is looked up. Attempts
-- that were only assigned sent nothing and are deleted.
create function hold_restored(now_ms bigint) returns void language plpgsql as $$
begin
  delete from task_attempts a using tasks t where t.no = a.task_no and t.ended_at is null and a.state = 'assigned';
  update tasks t
  set held = 1, first_due_at = null, due_at = now_ms, lease_until = null, virtual_start = null, goes_behind = 0,
    waits = case
      when exists (select from task_attempts a where a.task_no = t.no and a.state in ('starting', 'started')) then 0
      else 2
    end
  where t.ended_at is null;
  delete from settings where name = 'backup_made_at';
end $$;

-- Releases a task on hold: it waits behind the limits of its account like a new one. False: it is not on hold.
create function release_held(of_task bigint, now_ms bigint) returns boolean language plpgsql as $$
declare
  task record;
begin
  select t.account_no, coalesce(t.key_no, 0) as key_no, a.brand_no into task
  from tasks t join accounts a on a.no = t.account_no
  where t.no = of_task;
  if not found then return false; end if;
  -- In the lock order of write_batch.
  perform from brands b where b.no = task.brand_no and coalesce(b.tasks_in_flight_max, b.credits_in_flight_max) is not null for no key update;
  perform from accounts a where a.no = task.account_no for no key update;
  update tasks set held = 2, waits = 1 where no = of_task and waits = 2;
  if not found then return false; end if;
  insert into wait_queues (account_no, key_no) values (task.account_no, task.key_no) on conflict do nothing;
  perform admit_waiting(array[task.account_no], null, now_ms);
  return true;
end $$;

-- As in 0005, except that tasks on hold are not queued.
create or replace function take_due(lease_ms bigint, count_max bigint, now_ms bigint) returns json language plpgsql as $$
declare
  due record;
  open_state text;
  claimed json[] := '{}';
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
      claimed := claimed || claimed_row(due.no, true);
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

  return json_build_object(
    'kind', 'due', 'claims', array_to_json(claimed), 'pools', pool_states(),
    'waiting', (select coalesce(json_agg(w order by w.lane), '[]') from waiting_lanes(count_max) w)
  );
end $$;
