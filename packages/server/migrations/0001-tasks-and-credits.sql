-- Times are Unix milliseconds, money is micro-credits, JSON is text.
-- Checks spell lists out with `or`: for `in (...)` of three or more SQLite builds a temporary tree at every insert, which
-- took nearly half of the time of a row.

create table brands (
  no integer primary key,
  id text not null unique,
  name text not null,
  is_default integer not null default 0,
  created_at integer not null
);

create table accounts (
  no integer primary key,
  id text not null unique,
  brand_no integer not null references brands (no),
  name text not null,
  status text not null default 'active' check (status = 'active' or status = 'suspended' or status = 'closed'),
  balance integer not null default 0 check (balance >= 0),
  held integer not null default 0 check (held >= 0),
  created_at integer not null
);

create table api_keys (
  no integer primary key,
  id text not null unique,
  account_no integer not null references accounts (no),
  name text not null,
  digest text not null unique,
  scopes text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer
);

-- The task row is the queue: due_at says when somebody has to look at it next, null when it has ended.
-- While it is leased, due_at equals lease_until, so a task whose worker died becomes due by itself.
-- `no` rises with time: rows are appended, and no index on the id is needed (the id is no and tail).
create table tasks (
  no integer primary key,
  tail text not null,
  account_no integer not null,
  model text not null,
  object text not null,
  parameters text not null,
  status text not null check (status = 'queued' or status = 'processing' or status = 'completed' or status = 'failed'),
  progress integer not null default 0,
  price integer not null check (price >= 0),
  charged integer check (charged between 0 and price),
  version integer not null default 1,
  due_at integer,
  lease_until integer,
  lease_fence integer not null default 0,
  started_at integer,
  ended_at integer,
  error_code text,
  error_message text,
  check ((status in ('completed', 'failed')) = (ended_at is not null)),
  check ((ended_at is null) = (due_at is not null)),
  check ((ended_at is null) = (charged is null))
);
create index tasks_due_at_idx on tasks (due_at) where due_at is not null;

-- Serves lists by account. Filled behind the accepts, sorted and many at a time: written with each task it would dirty
-- one random page per row. `settings.tasks_listed_until` says up to which task it is surely complete.
create table tasks_by_account (
  account_no integer not null,
  task_no integer not null,
  primary key (account_no, task_no)
) without rowid;

-- Pictures that a task was given, for as long as it has not ended: they may take megabytes, and nobody but the driver reads
-- them. In a table of their own they cost a poll or a list nothing.
create table task_pictures (
  task_no integer primary key,
  pictures text not null
);

create table task_attempts (
  task_no integer not null,
  number integer not null,
  state text not null check (state = 'starting' or state = 'started' or state = 'succeeded' or state = 'failed'),
  route text not null,
  operation text,
  started_at integer not null,
  ended_at integer,
  reason text,
  primary key (task_no, number)
) without rowid;

-- One immutable line for each movement. The sum of `amount` is the account's balance, the sum of `held` what it holds.
create table entries (
  no integer primary key,
  account_no integer not null,
  task_no integer,
  kind text not null check (kind = 'grant' or kind = 'hold' or kind = 'settle' or kind = 'release' or kind = 'adjust' or kind = 'expire'),
  amount integer not null,
  held integer not null,
  at integer not null,
  note text
);
create trigger entries_never_change before update on entries begin select raise(abort, 'an entry never changes'); end;
create trigger entries_never_go before delete on entries begin select raise(abort, 'an entry never goes'); end;

-- Credits that expire. They are part of the account's balance; `remaining` is the sum of the grant's parts.
create table grants (
  no integer primary key,
  account_no integer not null,
  expires_at integer not null,
  remaining integer not null check (remaining >= 0)
);
create index grants_account_no_idx on grants (account_no, expires_at);
create index grants_expires_at_idx on grants (expires_at) where remaining > 0;

-- What an entry has put into an expiring grant, or taken from it; what it moved besides is credits that do not expire.
-- Immutable, as the entries are. The index finds what a task's hold was taken from.
create table grant_parts (
  entry_no integer not null,
  grant_no integer not null,
  task_no integer,
  amount integer not null,
  primary key (entry_no, grant_no)
) without rowid;
create index grant_parts_task_no_idx on grant_parts (task_no) where task_no is not null;
create trigger grant_parts_never_change before update on grant_parts begin select raise(abort, 'a part never changes'); end;
create trigger grant_parts_never_go before delete on grant_parts begin select raise(abort, 'a part never goes'); end;

-- Found through a hash in the writer's memory; a row lives for a day.
create table idempotency_keys (
  task_no integer primary key,
  account_no integer not null,
  key text not null,
  digest text not null
);

create table assets (
  task_no integer not null,
  position integer not null,
  id text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  width integer not null,
  height integer not null,
  duration_ms integer,
  seed integer,
  expires_at integer not null,
  removed_at integer,
  primary key (task_no, position)
) without rowid;
create index assets_expires_at_idx on assets (expires_at) where removed_at is null;

create table settings (
  name text primary key,
  value text not null
) without rowid;
