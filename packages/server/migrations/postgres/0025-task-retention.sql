-- Removal of old tasks. Where tasks have a retention, they are moved to tables of past tasks as soon
-- as nothing about them can change by itself any more. These tables have one partition per month
-- (UTC), so that a month is dropped at once. Submits, claims and steps read and write the other
-- tables only, which stay small. `tasks_kept_from` in `settings` is the number below which tasks may
-- be missing. It is the first number of a day, because usage, which remains, is counted by day.
-- `tasks_moved_below` is the number below which all moved tasks are.

-- A later migration that adds a column to tasks, task_attempts or results adds it here as well, at
-- the end, and creates the views again.
create table past_tasks (like tasks including defaults including constraints) partition by range (no);
alter table past_tasks add primary key (no);
create index past_tasks_account_no_idx on past_tasks (account_no, no);
create table past_task_attempts (like task_attempts including defaults including constraints) partition by range (task_no);
alter table past_task_attempts add primary key (task_no, number);
create table past_results (like results including defaults including constraints) partition by range (task_no);
alter table past_results add primary key (task_no, position);
create view all_tasks as select * from tasks union all select * from past_tasks;
create view all_task_attempts as select * from task_attempts union all select * from past_task_attempts;
create view all_results as select * from results union all select * from past_results;

-- The first task number of the month of a task, some months later.
create function first_task_no_of_month(of_task bigint, months int) returns bigint language sql immutable as $$
  select first_task_no_at(
    (extract(epoch from date_trunc('month', to_timestamp((of_task / 4096 + 1577836800000) / 1000.0) at time zone 'UTC')
      + make_interval(months => months)) * 1000)::bigint
  )
$$;

-- Whether something of an ended task is still needed: the file of a result, an attempt that holds a
-- slot or that an operator must resolve, or an event that a client may still get.
create function is_task_needed(of_task bigint) returns boolean language sql stable as $$
  select exists (select from results r where r.task_no = of_task and r.removed_at is null)
    or exists (
      select from task_attempts a
      where a.task_no = of_task and (a.holds_slot = 1 or (a.unresolved is not null and a.closed_at is null))
    )
    or exists (select from events e where e.task_no = of_task)
    or exists (select from webhook_deliveries d where d.task_no = of_task)
$$;

create function keep_tasks_from(no bigint) returns void language sql as $$
  insert into settings as s (name, value) values ('tasks_kept_from', no::text)
  on conflict (name) do update set value = greatest(s.value::bigint, excluded.value::bigint)::text
$$;

-- Removes tasks with their attempts and results: at most `count_max` from this number on, and below
-- `before_no`. A task stays while something of it is needed. Returns the removed tasks, and the
-- number to continue from; null: the end is reached.
create function remove_tasks(from_no bigint, before_no bigint, count_max int) returns json language plpgsql as $$
declare
  last_no bigint;
  seen int;
  removed bigint[];
  made json;
begin
  select max(s.no), count(*) into last_no, seen
  from (select t.no from tasks t where t.no >= from_no and t.no < before_no order by t.no limit count_max) s;
  select array_agg(t.no), json_agg(json_build_object('no', t.no, 'tail', t.tail)) into removed, made
  from tasks t
  where t.no between from_no and last_no and t.ended_at is not null and not is_task_needed(t.no);
  if removed is not null then
    delete from task_attempts a where a.task_no = any (removed);
    delete from results r where r.task_no = any (removed);
    delete from prompts_left l where l.task_no = any (removed);
    delete from tasks t where t.no = any (removed);
    perform keep_tasks_from(before_no);
  end if;
  return json_build_object('removed', coalesce(made, '[]'), 'nextNo', case when seen = count_max then last_no + 1 end);
end $$;

-- Creates the partitions of the month of a task.
create function add_past_month(of_task bigint) returns void language plpgsql as $$
declare
  first_no bigint := first_task_no_of_month(of_task, 0);
  end_no bigint := first_task_no_of_month(of_task, 1);
  name text := to_char(to_timestamp((of_task / 4096 + 1577836800000) / 1000.0) at time zone 'UTC', 'YYYY_MM');
  parent text;
begin
  foreach parent in array array['past_tasks', 'past_task_attempts', 'past_results'] loop
    continue when to_regclass(parent || '_' || name) is not null;
    execute format('create table %I partition of %I for values from (%s) to (%s)', parent || '_' || name, parent, first_no, end_no);
  end loop;
end $$;

-- Moves ended tasks to the month of their number, if nothing of them is needed and their prompt was
-- removed: at most `count_max` from this number on, within one month. Returns how many were moved,
-- and the number to continue from; null: the end is reached.
create function move_tasks(from_no bigint, count_max int, result_retention_ms bigint) returns json
language plpgsql set lock_timeout = '1s' as $$
declare
  first_no bigint;
  last_no bigint;
  seen int;
  moved bigint[];
begin
  select min(t.no) into first_no from tasks t where t.no >= from_no;
  select max(s.no), count(*) into last_no, seen
  from (
    select t.no from tasks t
    where t.no >= first_no and t.no < first_task_no_of_month(first_no, 1)
      and t.no <= (select max(p.swept_no) from prompt_sweeps p)
    order by t.no
    limit count_max
  ) s;
  if seen = 0 then
    -- The prompts of the next tasks were not swept yet.
    return json_build_object('moved', 0, 'nextNo', null);
  end if;
  select array_agg(t.no) into moved
  from tasks t
  join accounts a on a.no = t.account_no
  join brands b on b.no = a.brand_no
  join prompt_sweeps p on p.retention = case
    when b.prompt_retention_days is null then 'results ' || result_retention_ms
    else 'days ' || b.prompt_retention_days
  end
  where t.no between first_no and last_no and t.ended_at is not null and t.no <= p.swept_no
    and not exists (select from prompts_left l where l.task_no = t.no)
    and not is_task_needed(t.no);
  if moved is not null then
    perform add_past_month(first_no);
    with gone as (delete from task_attempts a where a.task_no = any (moved) returning a.*) insert into past_task_attempts select * from gone;
    with gone as (delete from results r where r.task_no = any (moved) returning r.*) insert into past_results select * from gone;
    with gone as (delete from tasks t where t.no = any (moved) returning t.*) insert into past_tasks select * from gone;
    insert into settings as s (name, value) values ('tasks_moved_below', (last_no + 1)::text)
    on conflict (name) do update set value = greatest(s.value::bigint, excluded.value::bigint)::text;
  end if;
  return json_build_object('moved', coalesce(cardinality(moved), 0), 'nextNo', last_no + 1);
end $$;

-- Moves tasks back, so that their content can be removed.
create function bring_back_tasks(numbers bigint[]) returns void language plpgsql as $$
declare
  lowest bigint := (select min(n) from unnest(numbers) n);
  highest bigint := (select max(n) from unnest(numbers) n);
begin
  -- The conditions on the range make PostgreSQL read only the months of these tasks.
  with gone as (
    delete from past_task_attempts a where a.task_no = any (numbers) and a.task_no between lowest and highest returning a.*
  ) insert into task_attempts select * from gone;
  with gone as (
    delete from past_results r where r.task_no = any (numbers) and r.task_no between lowest and highest returning r.*
  ) insert into results select * from gone;
  with gone as (
    delete from past_tasks t where t.no = any (numbers) and t.no between lowest and highest returning t.*
  ) insert into tasks select * from gone;
end $$;

-- Drops the oldest month with only tasks below this number. Returns its name; null: there is none.
-- Gives up if it does not get its locks at once, because other statements queue behind it.
create function drop_past_month(before_no bigint) returns text language plpgsql set lock_timeout = '100ms' as $$
declare
  name text := (
    select right(c.relname, 7)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'past_tasks'::regclass
    order by c.relname
    limit 1
  );
begin
  if name is null or before_no < first_task_no_at(
    (extract(epoch from (to_date(name, 'YYYY_MM') + make_interval(months => 1)) at time zone 'UTC') * 1000)::bigint
  ) then
    return null;
  end if;
  lock table past_tasks, past_task_attempts, past_results in access exclusive mode;
  execute format(
    'drop table if exists %I, %I, %I', 'past_tasks_' || name, 'past_task_attempts_' || name, 'past_results_' || name
  );
  perform keep_tasks_from(before_no);
  return name;
end $$;
