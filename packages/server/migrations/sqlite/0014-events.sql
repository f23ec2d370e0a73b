-- Events of tasks and accounts, and their delivery to webhooks (docs/decisions/0042).
--   events      one row for each event; it is written in the transaction of the change that the
--               event reports, and only if the account subscribes to the type
--   deliveries  created when an event is distributed, one for each webhook that subscribes
--   attempts    one row for each request to a webhook
-- A set of event types is a sum of bits: 1 task.completed, 2 task.failed, 4 task.processing, 8
-- credits.low. In event_subscribers, 16 means that tasks of the account may name a webhook of their
-- own.
create table events (
  no integer primary key,
  account_no integer not null references accounts (no),
  type text not null check (
    type = 'task.completed' or type = 'task.failed' or type = 'task.processing' or type = 'credits.low'
  ),
  task_no integer,
  -- Id of an event without a task. The id of any other event follows from its task and type.
  id text,
  at integer not null,
  -- Position among the events of the account, from 1. Null until the event is distributed.
  position integer
);
create unique index events_task_no_idx on events (task_no, type) where task_no is not null;
create index events_undistributed_idx on events (no) where position is null;
create index events_account_no_idx on events (account_no, position) where position is not null;
create index events_at_idx on events (at);

-- The event types that are recorded for an account: the types of its webhooks and of its event
-- streams.
create table event_subscribers (
  account_no integer primary key references accounts (no),
  types integer not null
);

create table event_feeds (
  account_no integer primary key references accounts (no),
  last_position integer not null default 0,
  -- Until this time, events are recorded for event streams of the account.
  open_until integer not null default 0
);

-- A row of the kind `task` stands for all addresses of one origin that tasks of the account name as
-- `webhook_url`. The `url` of such a row is the origin. `due_at` is the time at which a worker must
-- check the deliveries of the endpoint. Null: there is no delivery to send.
create table webhook_endpoints (
  no integer primary key,
  id text not null unique,
  account_no integer not null references accounts (no),
  kind text not null check (kind in ('account', 'task')),
  url text not null,
  description text not null,
  types integer not null,
  format text not null check (format in ('standard', 'openai')),
  enabled integer not null default 1,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  rate_limit integer,
  -- The encrypted secret. A row of the kind `task` uses the secret of its account.
  secret text,
  previous_secret text,
  previous_until integer,
  created_at integer not null,
  deleted_at integer,
  due_at integer,
  -- Number of consecutive failures, whether there are any, and the time of the first of them.
  failures integer not null default 0,
  is_failing integer not null default 0,
  failing_since integer,
  paused_until integer not null default 0,
  lease_until integer,
  lease_fence integer not null default 0
);
create index webhook_endpoints_account_no_idx on webhook_endpoints (account_no, no);
create unique index webhook_endpoints_origin_idx on webhook_endpoints (account_no, url) where kind = 'task';
create index webhook_endpoints_due_at_idx on webhook_endpoints (is_failing, due_at) where due_at is not null;
create index webhook_endpoints_deleted_at_idx on webhook_endpoints (no) where deleted_at is not null;

-- Encrypted secrets for deliveries to a `webhook_url`.
create table webhook_secrets (
  account_no integer primary key references accounts (no),
  secret text not null,
  previous_secret text,
  previous_until integer,
  created_at integer not null
);

-- The `webhook_url` of a task. The row is removed when the end of the task is distributed.
create table task_webhooks (
  task_no integer primary key,
  endpoint_no integer not null,
  url text not null
);

create table webhook_deliveries (
  no integer primary key,
  id text not null unique,
  endpoint_no integer not null references webhook_endpoints (no),
  type text not null,
  event_id text,
  event_at integer not null,
  task_no integer,
  -- Address of a delivery to an endpoint of the kind `task`. Null: the address of the endpoint
  -- applies.
  url text,
  status text not null default 'pending' check (
    status = 'pending' or status = 'delivered' or status = 'failed'
  ),
  -- Total number of attempts, and number of attempts in the current retry schedule.
  attempts integer not null default 0,
  tries integer not null default 0,
  -- 1: the account has requested the next attempt.
  is_manual integer not null default 0,
  created_at integer not null,
  due_at integer,
  ended_at integer,
  check ((status = 'pending') = (due_at is not null))
);
create unique index webhook_deliveries_event_idx on webhook_deliveries (task_no, type, endpoint_no) where task_no is not null;
create index webhook_deliveries_endpoint_no_idx on webhook_deliveries (endpoint_no, no);
create index webhook_deliveries_status_idx on webhook_deliveries (endpoint_no, status, no);
create index webhook_deliveries_due_at_idx on webhook_deliveries (endpoint_no, due_at) where due_at is not null;
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);

create table webhook_attempts (
  delivery_no integer not null references webhook_deliveries (no),
  number integer not null,
  at integer not null,
  duration_ms integer not null,
  is_manual integer not null,
  status_code integer,
  error text,
  -- The first part of the response body.
  response_body text,
  primary key (delivery_no, number)
) without rowid;

-- Threshold of the balance. A balance that falls below it causes one event. The next event needs a
-- balance that has reached the threshold again.
alter table accounts add column credits_low_at integer;
drop view accounts_now;
create view accounts_now as
select
  a.no, a.id, a.brand_no, a.name, a.status,
  a.balance + coalesce(later.amount, 0) as balance,
  a.held + coalesce(later.held, 0) as held,
  coalesce(later.entry_no, a.last_entry_no) as last_entry_no,
  a.created_at, a.tasks_in_flight_max, a.credits_in_flight_max, a.over_limit, a.requests_per_minute_max, a.tokens_per_minute_max,
  a.credits_low_at
from accounts a
left join (
  select account_no, sum(amount) as amount, sum(held) as held, max(no) as entry_no
  from entries
  where no > (select entry_no from balances_written)
  group by account_no
) later on later.account_no = a.no;
