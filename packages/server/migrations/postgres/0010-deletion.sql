-- A deletion removes the content of a task: prompt, inputs, result, error texts. Its row stays, because the ledger refers to it
-- (decision 0025). From deleted_at on the task is hidden from clients.
alter table tasks add column deleted_at bigint;

-- Retention of prompts in days after the end of the task; null: as long as results.
alter table brands add column prompt_retention_days bigint;

-- Progress of the removal, one row per retention: all tasks up to swept_no are done, except those in prompts_left.
create table prompt_sweeps (
  retention text collate "C" primary key,
  swept_no bigint not null,
  -- JSON array of the brands with this retention. For a brand that is added the sweep starts again.
  brands text not null
);

-- Tasks whose retention had not passed yet when the sweep reached them.
create table prompts_left (
  task_no bigint primary key
);

-- Erasures of closed accounts. The counts are written in the commits that they count.
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

-- Removes the content of ended tasks and returns the numbers of the changed ones. `is_deletion`: all content, and clients no
-- longer see the task; otherwise only the prompt. `of_account`: counts them in the erasure of this account.
create function erase_tasks(given json, is_deletion boolean, of_account bigint, now_ms bigint) returns json language plpgsql as $$
declare
  numbers bigint[];
  erased bigint[];
  results_erased bigint := 0;
begin
  select array_agg(g.no order by g.no) into numbers from json_to_recordset(given) as g (no bigint, parameters text);
  -- In the lock order of write_batch.
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

  -- The operation of an attempt that continues upstream is needed until its end is known.
  update task_attempts a
  set reason = null, detail = null, closing_note = null,
    operation = case when a.unresolved = 'overdue' and a.closed_at is null then a.operation end
  where a.task_no = any (erased);
  delete from task_assets where task_no = any (erased);
  -- The sweep removes the files of expired results.
  update results set expires_at = 0, seed = null where task_no = any (erased);
  get diagnostics results_erased = row_count;
  if of_account is null then
    -- An idempotency key stays used for its day, so that a repeated request is not charged again.
    update idempotency_keys k set digest = '' where k.task_no = any (erased);
  else
    delete from idempotency_keys k where k.task_no = any (erased);
    update erasures e set tasks = e.tasks + cardinality(erased), results = e.results + results_erased where e.account_no = of_account;
  end if;
  return to_json(erased);
end $$;
