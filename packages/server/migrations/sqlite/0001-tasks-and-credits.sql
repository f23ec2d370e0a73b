-- Times are Unix milliseconds, money is micro-credits, JSON is text.
-- Checks use `or` instead of `in (...)`: with three or more values SQLite builds a temporary tree at every insert, which took
-- nearly half of the time of an insert.

create table brands (
  no integer primary key,
  id text not null unique,
  name text not null,
  is_default integer not null default 0,
  -- JSON array of host names, lower case and without port.
  hosts text not null default '[]',
  -- Origin of its result links; null: that of the installation.
  result_origin text,
  -- Whether models without a row in brand_models are offered.
  other_models text not null default 'catalogue' check (other_models = 'catalogue' or other_models = 'hidden'),
  created_at integer not null,
  tasks_in_flight_max integer,
  credits_in_flight_max integer
);

-- One row per host name of brands.hosts, kept up to date by triggers: no two brands share a host name.
create table brand_hosts (
  host text primary key,
  brand_no integer not null references brands (no)
) without rowid;
create trigger brand_hosts_added after insert on brands
begin insert into brand_hosts select value, new.no from json_each(new.hosts); end;
create trigger brand_hosts_changed after update of hosts on brands
begin
  delete from brand_hosts where brand_no = new.no;
  insert into brand_hosts select value, new.no from json_each(new.hosts);
end;

-- Differences of a brand from the catalogue; null: none.
create table brand_models (
  brand_no integer not null references brands (no),
  model text not null,
  visibility text check (visibility = 'hidden' or visibility = 'visible' or visibility = 'invocable'),
  title text,
  primary key (brand_no, model)
) without rowid;

create table accounts (
  no integer primary key,
  id text not null unique,
  brand_no integer not null references brands (no),
  name text not null,
  status text not null default 'active' check (status = 'active' or status = 'suspended' or status = 'closed'),
  balance integer not null default 0 check (balance >= 0),
  held integer not null default 0 check (held >= 0),
  -- The newest entry of its ledger; null: none.
  last_entry_no integer,
  created_at integer not null,
  tasks_in_flight_max integer,
  credits_in_flight_max integer,
  -- Whether a task over a limit of its key, account or brand is refused or waits.
  over_limit text not null default 'refuse' check (over_limit = 'refuse' or over_limit = 'wait')
);

create index accounts_closed_idx on accounts (no) where status = 'closed';

create table api_keys (
  no integer primary key,
  id text not null unique,
  account_no integer not null references accounts (no),
  name text not null,
  scopes text not null,
  -- JSON array of Model IDs; null: every model.
  models text,
  requests_per_second_max integer,
  tasks_in_flight_max integer,
  credits_in_flight_max integer,
  spent_per_day_max integer,
  spent_per_month_max integer,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
);

-- Secrets of a key. A rotation adds one, and older ones stay valid for a while. The key, its limits and its spending stay the
-- same.
create table api_key_secrets (
  no integer primary key,
  key_no integer not null references api_keys (no),
  digest text not null unique,
  created_at integer not null,
  expires_at integer
);
create index api_key_secrets_key_no_idx on api_key_secrets (key_no);

-- Increases with every change of cached data: keys, accounts, brands, prices, routes. Processes poll it to keep their copies
-- up to date.
create table config_version (version integer not null);
insert into config_version values (1);
create trigger brands_added after insert on brands begin update config_version set version = version + 1; end;
create trigger brands_changed after update on brands begin update config_version set version = version + 1; end;
create trigger brand_models_added after insert on brand_models begin update config_version set version = version + 1; end;
create trigger brand_models_changed after update on brand_models begin update config_version set version = version + 1; end;
create trigger accounts_added after insert on accounts begin update config_version set version = version + 1; end;
create trigger accounts_changed after update of status, tasks_in_flight_max, credits_in_flight_max, over_limit on accounts
begin update config_version set version = version + 1; end;
create trigger api_keys_added after insert on api_keys begin update config_version set version = version + 1; end;
create trigger api_keys_changed after update of name, scopes, models, requests_per_second_max, tasks_in_flight_max, credits_in_flight_max,
  spent_per_day_max, spent_per_month_max, expires_at, revoked_at on api_keys
begin update config_version set version = version + 1; end;
create trigger api_key_secrets_added after insert on api_key_secrets
begin update config_version set version = version + 1; end;
create trigger api_key_secrets_changed after update on api_key_secrets
begin update config_version set version = version + 1; end;

-- Prices that replace those of the catalogue from a time on: for an account, for a brand, or (with neither) for all. The rule
-- is JSON; null returns to the catalogue price. Rows never change, because tasks refer to the price they were accepted at.
create table prices (
  no integer primary key,
  model text not null,
  brand_no integer references brands (no),
  account_no integer references accounts (no),
  rule text,
  effective_at integer not null,
  created_at integer not null,
  check (brand_no is null or account_no is null)
);
create trigger prices_added after insert on prices begin update config_version set version = version + 1; end;
create trigger prices_never_change before update on prices begin select raise(abort, 'a price never changes'); end;
create trigger prices_never_go before delete on prices begin select raise(abort, 'a price never goes'); end;

-- The task row is the queue. A claimable task has a `virtual_start` in a `lane`, which stands for the routes that serve its
-- model; the lowest is claimed next. Virtual starts interleave the tasks of all accounts (start-time fair queueing). All other
-- tasks that have not ended have either due_at, the time of their next step (while leased it equals lease_until, so a task whose
-- worker died becomes due), or `waits` 1: they are over a limit until another task ends. Ended tasks have none of these.
-- `no` increases with time, so rows are appended, and the id needs no index: it consists of no and tail.
create table tasks (
  no integer primary key,
  tail text not null,
  account_no integer not null,
  key_no integer,
  model text not null,
  object text not null,
  parameters text not null,
  status text not null check (status = 'queued' or status = 'processing' or status = 'completed' or status = 'failed'),
  progress integer not null default 0,
  price integer not null check (price >= 0),
  price_no integer,
  charged integer check (charged between 0 and price),
  hold_entry_no integer not null,
  version integer not null default 1,
  due_at integer,
  -- When it first became claimable for an upstream: the value of due_at until it was claimed.
  first_due_at integer,
  lane integer not null default 0,
  virtual_start integer,
  waits integer not null default 0,
  -- 1: when it is queued again, some tasks of its lane go first.
  goes_behind integer not null default 0,
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
-- Together these indexes contain every task that has not ended.
create index tasks_virtual_start_idx on tasks (lane, virtual_start) where virtual_start is not null;
create index tasks_due_at_idx on tasks (due_at) where due_at is not null and virtual_start is null and waits = 0;
create index tasks_waits_idx on tasks (no) where waits = 1;

-- Serves lists by account. Filled in sorted batches some time after the tasks: one row per submit would dirty one random page
-- each. `settings.tasks_listed_until` is the newest task up to which it is complete.
create table tasks_by_account (
  account_no integer not null,
  task_no integer not null,
  primary key (account_no, task_no)
) without rowid;

-- Images of a task's request, kept until the task has ended. Only the driver reads them. They may take megabytes, so they
-- have a table of their own: polls and lists never load them.
create table task_images (
  task_no integer primary key,
  images text not null
);

-- Images that accounts keep for their tasks (`/v2/assets` in the API). A row is written before its file and removed after it:
--   stored_at null     the file is being uploaded, or the upload was interrupted and the sweep removes it
--   deleted_at         no longer shown to anyone; the file stays for tasks that were accepted before
--   removed_at         the file is gone; the row stays for a day, so that a repeated delete gets the same response
-- An account has one upload per content.
create table assets (
  no integer primary key,
  id text not null unique,
  account_no integer not null references accounts (no),
  name text,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  width integer not null,
  height integer not null,
  created_at integer not null,
  stored_at integer,
  deleted_at integer,
  removed_at integer
);
create index assets_account_no_idx on assets (account_no, id);
create unique index assets_sha256_idx on assets (account_no, sha256) where deleted_at is null;
create index assets_stored_at_idx on assets (created_at) where stored_at is null;
create index assets_deleted_at_idx on assets (deleted_at) where deleted_at is not null and removed_at is null;
create index assets_removed_at_idx on assets (removed_at) where removed_at is not null;

-- Uploads that a task refers to, until it has ended. Their files are kept as long.
create table task_assets (
  task_no integer not null,
  asset_no integer not null,
  primary key (task_no, asset_no)
) without rowid;
create index task_assets_asset_no_idx on task_assets (asset_no);
create trigger task_assets_end after delete on task_images begin delete from task_assets where task_no = old.task_no; end;

create table task_attempts (
  task_no integer not null,
  number integer not null,
  -- assigned: a route and its slots are reserved, nothing was sent. starting: a job may have been started. started: it was.
  state text not null check (
    state = 'assigned' or state = 'starting' or state = 'started' or state = 'succeeded' or state = 'failed' or state = 'not_accepted'
  ),
  route text not null,
  -- The route at the start of the attempt; 0: the embedded one.
  snapshot_no integer not null default 0,
  operation text,
  started_at integer not null,
  ended_at integer,
  -- Error text for the client, and detail for the operator.
  reason text,
  detail text,
  -- Usage that the upstream reported, in its own unit.
  cost real,
  cost_unit text,
  -- Why an operator must resolve it; `overdue` ones are still polled. `closed_at`, `closing`, `closing_note`: the resolution.
  unresolved text check (unresolved = 'lost_reply' or unresolved = 'unusable_result' or unresolved = 'overdue' or unresolved = 'late'),
  closed_at integer,
  closing text,
  closing_note text,
  -- Deadline of its route at its start; null: that of the model.
  deadline_ms integer,
  -- Slot pools that it counts in while it holds a slot; null for a route that only this process serves.
  route_pool integer,
  upstream_pool integer,
  holds_slot integer not null default 0,
  -- 1: its submit was sent without a response, and its job is looked up. It no longer counts as unconfirmed.
  reply_lost integer not null default 0,
  -- Fence of the lease at its start; 0 before.
  begun_fence integer not null default 0,
  primary key (task_no, number)
) without rowid;
create index task_attempts_holds_slot_idx on task_attempts (upstream_pool, route_pool) where holds_slot = 1;

-- Slots of upstreams and of their routes. A pool survives a rename of its upstream or a new key: it is found by the name,
-- otherwise by the target. `condition` and the columns before it say whether submits are paused.
create table slot_pools (
  no integer primary key,
  kind text not null check (kind = 'upstream' or kind = 'route'),
  name text not null,
  target text not null,
  paused_until integer not null default 0,
  -- Maximum number of unconfirmed attempts; null: unlimited.
  unconfirmed_max integer,
  refusals integer not null default 0,
  condition text not null default 'open' check (
    condition = 'open' or condition = 'throttled' or condition = 'unavailable' or condition = 'out_of_order'
  ),
  unique (kind, name)
);
create index task_attempts_unresolved_idx on task_attempts (task_no, number) where unresolved is not null and closed_at is null;

-- Routes as they were at the start of an attempt, so that a job is polled where it was started even if the route has been changed
-- or removed. The credential is encrypted with a key that is not in the database.
create table route_snapshots (
  no integer primary key,
  digest text not null unique,
  definition text not null,
  credential text,
  created_at integer not null
);

-- Upstreams and routes that an operator has added through the API, in the form of the configuration file. The credential is
-- encrypted with a key that is not in the database.
create table stored_upstreams (
  name text primary key,
  definition text not null,
  credential text,
  created_at integer not null
) without rowid;
create table stored_routes (
  name text primary key,
  definition text not null,
  created_at integer not null
) without rowid;
create trigger stored_upstreams_added after insert on stored_upstreams begin update config_version set version = version + 1; end;
create trigger stored_upstreams_changed after update on stored_upstreams begin update config_version set version = version + 1; end;
create trigger stored_upstreams_gone after delete on stored_upstreams begin update config_version set version = version + 1; end;
create trigger stored_routes_added after insert on stored_routes begin update config_version set version = version + 1; end;
create trigger stored_routes_changed after update on stored_routes begin update config_version set version = version + 1; end;
create trigger stored_routes_gone after delete on stored_routes begin update config_version set version = version + 1; end;

-- The ledger: one immutable entry per movement. The sum of `amount` is the account's balance, the sum of `held` its holds.
-- The entries of an account are a chain from the newest (accounts.last_entry_no) to the first, because an index by account would
-- dirty one random page per entry. `position` counts from 1, and `at` never decreases along the chain.
create table entries (
  no integer primary key,
  account_no integer not null,
  position integer not null,
  previous_no integer,
  task_no integer,
  kind text not null check (kind = 'grant' or kind = 'hold' or kind = 'settle' or kind = 'release' or kind = 'adjust' or kind = 'expire'),
  amount integer not null,
  held integer not null,
  balance_after integer not null check (balance_after >= 0),
  at integer not null,
  note text,
  -- Makes repeated requests for the same grant idempotent.
  reference text
);
create unique index entries_reference_idx on entries (reference) where reference is not null;
-- A hold is settled or released once.
create unique index entries_end_idx on entries (task_no) where kind = 'settle' or kind = 'release';
-- The few entries of an account that belong to no task.
create index entries_without_task_idx on entries (account_no) where task_no is null;
create trigger entries_never_change before update on entries begin select raise(abort, 'an entry never changes'); end;
create trigger entries_never_go before delete on entries begin select raise(abort, 'an entry never goes'); end;

-- The newest entry that is included in the balance, holds and last entry of the accounts table. Under load these columns are
-- written some commits later, because the accounts of a batch may each be on a page of their own (`balances.ts`). The view
-- `accounts_now` adds the entries since then; connections for reading have it under the name `accounts`.
create table balances_written (entry_no integer not null);
insert into balances_written values (0);
create view accounts_now as
select
  a.no, a.id, a.brand_no, a.name, a.status,
  a.balance + coalesce(later.amount, 0) as balance,
  a.held + coalesce(later.held, 0) as held,
  coalesce(later.entry_no, a.last_entry_no) as last_entry_no,
  a.created_at, a.tasks_in_flight_max, a.credits_in_flight_max, a.over_limit
from accounts a
left join (
  select account_no, sum(amount) as amount, sum(held) as held, max(no) as entry_no
  from entries
  where no > (select entry_no from balances_written)
  group by account_no
) later on later.account_no = a.no;

-- Every 64th entry of an account: places to enter its chain by time or position.
create table entry_marks (
  account_no integer not null,
  at integer not null,
  position integer not null,
  entry_no integer not null,
  primary key (account_no, at, position)
) without rowid;

-- Credits that expire. They are part of the account's balance. `remaining` is the sum of the parts of the grant.
create table grants (
  no integer primary key,
  account_no integer not null,
  expires_at integer not null,
  remaining integer not null check (remaining >= 0)
);
create index grants_account_no_idx on grants (account_no, expires_at);
create index grants_expires_at_idx on grants (expires_at) where remaining > 0;

-- What an entry has put into an expiring grant or taken from it. The rest of the entry concerns credits that do not expire.
-- Rows never change. The index finds the grants that a task's hold was taken from.
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

-- Usage of ended tasks, by the day on which they were accepted (days since 1970, UTC).
create table usage (
  account_no integer not null,
  key_no integer not null,
  day integer not null,
  model text not null,
  completed integer not null,
  failed integer not null,
  charged integer not null,
  produced_ms integer not null,
  primary key (account_no, key_no, day, model)
) without rowid;

-- Looked up through a hash in the writer's memory. A row is kept for a day.
create table idempotency_keys (
  task_no integer primary key,
  account_no integer not null,
  key text not null,
  digest text not null
);

create table results (
  task_no integer not null,
  position integer not null,
  object_key text not null,
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
create index results_expires_at_idx on results (expires_at) where removed_at is null;

-- Changes through the admin API, with their author. Written in the commit of the change.
create table audit_log (
  no integer primary key,
  at integer not null,
  key_no integer,
  action text not null,
  target text not null,
  before text,
  after text
);

create table settings (
  name text primary key,
  value text not null
) without rowid;
