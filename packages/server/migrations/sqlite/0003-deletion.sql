-- Deleting removes the content of a task: prompt, inputs, result, error texts. Its row stays, for the ledger refers to it (decision 0025).
-- From deleted_at on no client sees the task.
alter table tasks add column deleted_at integer;

-- Days that prompts are kept after their tasks have ended; null: as long as results.
alter table brands add column prompt_retention_days integer;

-- How far prompts have been removed, one line for each retention: all tasks up to swept_no, except those in prompts_left.
create table prompt_sweeps (
  retention text primary key,
  swept_no integer not null,
  -- JSON array of the brands that had this retention. A brand that joins them begins anew.
  brands text not null
) without rowid;

-- Tasks that had not ended long enough when the sweep passed them.
create table prompts_left (
  task_no integer primary key
);

-- Erasures of closed accounts. Counts are written with what they count.
create table erasures (
  account_no integer primary key references accounts (no),
  key_no integer,
  requested_at integer not null,
  finished_at integer,
  tasks integer not null default 0,
  results integer not null default 0,
  assets integer not null default 0,
  keys integer not null default 0,
  audit_entries integer not null default 0
);
