-- A deletion removes the content of a task: prompt, inputs, result, error texts. Its row stays, because the ledger refers to it
-- (decision 0025). From deleted_at on the task is hidden from clients.
alter table tasks add column deleted_at integer;

-- Retention of prompts in days after the end of the task; null: as long as results.
alter table brands add column prompt_retention_days integer;

-- Progress of the removal, one row per retention: all tasks up to swept_no are done, except those in prompts_left.
create table prompt_sweeps (
  retention text primary key,
  swept_no integer not null,
  -- JSON array of the brands with this retention. For a brand that is added the sweep starts again.
  brands text not null
) without rowid;

-- Tasks whose retention had not passed yet when the sweep reached them.
create table prompts_left (
  task_no integer primary key
);

-- Erasures of closed accounts. The counts are written in the commits that they count.
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
