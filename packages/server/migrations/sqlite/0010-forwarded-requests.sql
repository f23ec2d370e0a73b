-- Requests for token models, which the service forwards to an upstream and prices by tokens. They
-- are not tasks, but their numbers come from the same series. Therefore entries and parts of grants
-- refer to them by `task_no`.
-- owner          the process that forwards the request and renews `lease_until`; when the lease is
--                over, any process may end the request and release its hold
-- outcome        completed; failed (a part of the response or nothing was delivered); or abandoned
--                (the process is gone)
-- route_no       route_snapshots.no; -1: the request was never sent
-- *_pool         the slot pools in which the request counts until it ends
-- is_estimated   1: the upstream reported no usage, so the token counts are an estimate
-- paid           the operator's cost in micro-credits; null: unknown
create table forwarded_requests (
  no integer primary key,
  request_id text not null,
  owner text not null,
  account_no integer not null,
  key_no integer,
  model text not null,
  object text not null,
  price integer not null check (price >= 0),
  price_no integer,
  hold_entry_no integer not null,
  charged integer check (charged between 0 and price),
  started_at integer not null,
  lease_until integer,
  ended_at integer,
  outcome text check (outcome = 'completed' or outcome = 'failed' or outcome = 'abandoned'),
  route_no integer not null default -1,
  route_pool integer,
  upstream_pool integer,
  input_tokens integer not null default 0,
  cached_input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  is_estimated integer not null default 0,
  paid integer,
  check ((ended_at is null) = (charged is null)),
  check ((ended_at is null) = (outcome is null))
);
create index forwarded_requests_open_idx on forwarded_requests (owner) where ended_at is null;

-- Token counts of forwarded requests.
alter table usage add column input_tokens integer not null default 0;
alter table usage add column cached_input_tokens integer not null default 0;
alter table usage add column output_tokens integer not null default 0;
alter table usage_totals add column input_tokens integer not null default 0;
alter table usage_totals add column cached_input_tokens integer not null default 0;
alter table usage_totals add column output_tokens integer not null default 0;

-- The trigger of 0004, with the columns of the insert named.
drop trigger task_attempts_paid;
create trigger task_attempts_paid after update of paid on task_attempts
when old.ended_at is not null and new.snapshot_no > 0 and old.paid is not new.paid
begin
  insert into usage (account_no, key_no, model, route_no, day, completed, failed, charged, produced_ms, cost, cost_unknown)
  select
    t.account_no, coalesce(t.key_no, 0), t.model, new.snapshot_no, (t.no / 4096 + 1577836800000) / 86400000,
    0, 0, 0, 0, coalesce(new.paid, 0) - coalesce(old.paid, 0), (new.paid is null) - (old.paid is null)
  from tasks t
  where t.no = new.task_no
  on conflict do update set cost = cost + excluded.cost, cost_unknown = cost_unknown + excluded.cost_unknown;
  insert into usage_totals (day, brand_no, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown)
  select
    (t.no / 4096 + 1577836800000) / 86400000, a.brand_no, t.model, new.snapshot_no,
    0, 0, 0, 0, coalesce(new.paid, 0) - coalesce(old.paid, 0), (new.paid is null) - (old.paid is null)
  from tasks t join accounts a on a.no = t.account_no
  where t.no = new.task_no
  on conflict do update set cost = cost + excluded.cost, cost_unknown = cost_unknown + excluded.cost_unknown;
end;
