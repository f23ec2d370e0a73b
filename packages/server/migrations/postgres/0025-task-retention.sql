-- Removal of old tasks. `tasks_kept_from` in `settings` is the number below which tasks may be
-- missing. It is the first number of a day, because usage, which remains, is counted by day.

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
  where t.no between from_no and last_no and t.ended_at is not null
    and not exists (select from results r where r.task_no = t.no and r.removed_at is null)
    and not exists (
      select from task_attempts a where a.task_no = t.no and (a.holds_slot = 1 or (a.unresolved is not null and a.closed_at is null))
    );
  if removed is not null then
    delete from task_attempts a where a.task_no = any (removed);
    delete from results r where r.task_no = any (removed);
    delete from prompts_left l where l.task_no = any (removed);
    delete from tasks t where t.no = any (removed);
    insert into settings as s (name, value) values ('tasks_kept_from', before_no::text)
    on conflict (name) do update set value = greatest(s.value::bigint, excluded.value::bigint)::text;
  end if;
  return json_build_object('removed', coalesce(made, '[]'), 'nextNo', case when seen = count_max then last_no + 1 end);
end $$;
