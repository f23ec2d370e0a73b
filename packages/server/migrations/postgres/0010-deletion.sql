-- Deleting removes the content of a task: prompt, inputs, result, error texts. Its row stays, for the ledger refers to it (decision 0025).
-- From deleted_at on no client sees the task.
alter table tasks add column deleted_at bigint;

-- Days that prompts are kept after their tasks have ended; null: as long as results.
alter table brands add column prompt_retention_days bigint;

-- How far prompts have been removed, one line for each retention: all tasks up to swept_no, except those in prompts_left.
create table prompt_sweeps (
  retention text collate "C" primary key,
  swept_no bigint not null,
  -- JSON array of the brands that had this retention. A brand that joins them begins anew.
  brands text not null
);

-- Tasks that had not ended long enough when the sweep passed them.
create table prompts_left (
  task_no bigint primary key
);

-- Erasures of closed accounts. Counts are written with what they count.
create table erasures (
  account_no bigint primary key references accounts (no),
  key_no bigint,
  requested_at bigint not null,
  finished_at bigint,
  tasks bigint not null default 0,
  results bigint not null default 0,
  assets bigint not null default 0,
  keys bigint not null default 0,
  audit_entries bigint not null default 0
);

-- Removes the content of tasks that have ended; `is_deletion`: all of it, and no client sees them any more, otherwise the prompt alone.
-- Returns the numbers of those that it has changed. `of_account`: counts them in the erasure of this account.
create function erase_tasks(given json, is_deletion boolean, of_account bigint, now_ms bigint) returns json language plpgsql as $$
declare
  numbers bigint[];
  erased bigint[];
  results_erased bigint := 0;
begin
  select array_agg(g.no order by g.no) into numbers from json_to_recordset(given) as g (no bigint, parameters text);
  -- In the order in which write_batch takes locks.
  perform from tasks t where t.no = any (numbers) order by t.no for no key update;
  with changed as (
    update tasks t
    set parameters = g.parameters, version = t.version + 1,
      error_message = case when is_deletion then null else t.error_message end,
      deleted_at = case when is_deletion then now_ms end
    from json_to_recordset(given) as g (no bigint, parameters text)
    where t.no = g.no and t.ended_at is not null and t.deleted_at is null
    returning t.no
  )
  select coalesce(array_agg(c.no), '{}') into erased from changed c;
  delete from task_images p where p.task_no = any (erased);
  if not is_deletion then
    update task_attempts a set detail = null where a.task_no = any (erased) and a.detail is not null;
    return to_json(erased);
  end if;

  -- The operation of an attempt that goes on upstream is needed until its end is known.
  update task_attempts a
  set reason = null, detail = null, closing_note = null,
    operation = case when a.unresolved = 'overdue' and a.closed_at is null then a.operation end
  where a.task_no = any (erased);
  delete from task_uploads u where u.task_no = any (erased);
  -- The sweep removes files of results whose time is up.
  update assets a set expires_at = 0, seed = null where a.task_no = any (erased);
  get diagnostics results_erased = row_count;
  if of_account is null then
    -- A key stays taken for its day: the same request again must not be charged again.
    update idempotency_keys k set digest = '' where k.task_no = any (erased);
  else
    delete from idempotency_keys k where k.task_no = any (erased);
    update erasures e set tasks = e.tasks + cardinality(erased), results = e.results + results_erased where e.account_no = of_account;
  end if;
  return to_json(erased);
end $$;
