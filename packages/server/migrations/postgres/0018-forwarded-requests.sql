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
  no bigint primary key,
  request_id text collate "C" not null,
  owner text collate "C" not null,
  account_no bigint not null,
  key_no bigint,
  model text collate "C" not null,
  object text collate "C" not null,
  price bigint not null check (price >= 0),
  price_no bigint,
  charged bigint check (charged between 0 and price),
  started_at bigint not null,
  lease_until bigint,
  ended_at bigint,
  outcome text collate "C" check (outcome in ('completed', 'failed', 'abandoned')),
  route_no bigint not null default -1,
  route_pool bigint,
  upstream_pool bigint,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  is_estimated bigint not null default 0,
  paid bigint,
  check ((ended_at is null) = (charged is null)),
  check ((ended_at is null) = (outcome is null))
) with (fillfactor = 70);
create index forwarded_requests_open_idx on forwarded_requests (account_no, key_no) where ended_at is null;
create index forwarded_requests_route_pool_idx on forwarded_requests (route_pool) where ended_at is null;
create index forwarded_requests_upstream_pool_idx on forwarded_requests (upstream_pool) where ended_at is null;

-- Token counts of forwarded requests.
alter table usage add column input_tokens bigint not null default 0, add column cached_input_tokens bigint not null default 0,
  add column output_tokens bigint not null default 0;
create or replace view usage_totals as
select u.day, a.brand_no, u.model, u.route_no, u.completed, u.failed, u.charged, u.produced_ms, u.cost, u.cost_unknown,
  u.input_tokens, u.cached_input_tokens, u.output_tokens
from usage u join accounts a on a.no = u.account_no;

-- The function of 0005, which now also counts forwarded requests. These never count as unconfirmed.
create or replace function slots_taken(of_pool bigint) returns table (in_flight bigint, unconfirmed bigint) language sql stable as $$
  select count(*), count(*) filter (where a.state in ('assigned', 'starting') and a.reply_lost = 0)
  from (
    select u.state, u.reply_lost from task_attempts u where u.upstream_pool = of_pool and u.holds_slot = 1
    union all
    select r.state, r.reply_lost from task_attempts r where r.route_pool = of_pool and r.holds_slot = 1
    union all
    select null, null from forwarded_requests f where f.upstream_pool = of_pool and f.ended_at is null
    union all
    select null, null from forwarded_requests f where f.route_pool = of_pool and f.ended_at is null
  ) a
$$;

-- The function of 0003, which now also counts forwarded requests.
create or replace function spent_since(of_account bigint, of_key bigint, since_day bigint) returns bigint language sql stable as $$
  select (
    coalesce((select sum(charged) from usage where account_no = of_account and key_no = of_key and day >= since_day), 0)
    + coalesce((
      select sum(price)
      from tasks
      where account_no = of_account and key_no = of_key and ended_at is null and no >= first_task_no_at(since_day * 86400000)
    ), 0)
    + coalesce((
      select sum(price)
      from forwarded_requests
      where account_no = of_account and key_no = of_key and ended_at is null and no >= first_task_no_at(since_day * 86400000)
    ), 0)
  )::bigint
$$;

create type forwarded_change as (
  i int, kind text, no bigint, request_id text, owner text, account_no bigint, key_no bigint, model text, object text, price bigint,
  price_no bigint, lease_ms bigint, route_no bigint, route_pool bigint, route_max bigint, upstream_pool bigint, upstream_max bigint,
  outcome text, charge bigint, input_tokens bigint, cached_input_tokens bigint, output_tokens bigint, is_estimated bigint, paid bigint
);

-- Holds the price and takes slots of the route. Returns null if this is done. The caller has locked
-- the account and the pools.
create function hold_forwarded(change forwarded_change, now_ms bigint) returns json language plpgsql as $$
declare
  refusal json;
  account_balance bigint;
  entry_no bigint;
begin
  -- The request exists already if the response to an earlier call was lost with the connection.
  if exists (select from forwarded_requests f where f.no = change.no) then return null; end if;
  refusal := overspending_of(change.account_no, change.key_no, change.no, change.price);
  if refusal is not null then return refusal; end if;
  perform expire_account(change.account_no, now_ms);
  select balance into account_balance from accounts where no = change.account_no;
  if not found then raise exception 'there is no account %', change.account_no; end if;
  if account_balance < change.price then return json_build_object('kind', 'insufficient_credits', 'balance', account_balance); end if;
  if least(slots_left(change.route_pool, change.route_max, now_ms), slots_left(change.upstream_pool, change.upstream_max, now_ms)) < 1 then
    return json_build_object('kind', 'missed');
  end if;
  insert into forwarded_requests (
    no, request_id, owner, account_no, key_no, model, object, price, price_no, started_at, lease_until, route_no, route_pool, upstream_pool
  )
  values (
    change.no, change.request_id, change.owner, change.account_no, change.key_no, change.model, change.object, change.price,
    change.price_no, now_ms, now_ms + change.lease_ms, change.route_no, change.route_pool, change.upstream_pool
  );
  entry_no := append_entry(change.account_no, change.no, 'hold', -change.price, change.price, now_ms);
  perform take_from_grants(change.account_no, entry_no, change.no, change.price);
  return null;
end $$;

-- Frees the slots of the current route and takes slots of another route.
create function move_forwarded(change forwarded_change, now_ms bigint) returns json language plpgsql as $$
declare
  before record;
begin
  select route_no, route_pool, upstream_pool into before from forwarded_requests where no = change.no and ended_at is null for update;
  if not found then return json_build_object('kind', 'missed'); end if;
  update forwarded_requests set route_pool = null, upstream_pool = null where no = change.no;
  if least(slots_left(change.route_pool, change.route_max, now_ms), slots_left(change.upstream_pool, change.upstream_max, now_ms)) < 1 then
    update forwarded_requests set route_pool = before.route_pool, upstream_pool = before.upstream_pool where no = change.no;
    return json_build_object('kind', 'missed');
  end if;
  update forwarded_requests
  set route_no = change.route_no, route_pool = change.route_pool, upstream_pool = change.upstream_pool
  where no = change.no;
  return null;
end $$;

-- Ends a request together with its hold, once. An abandoned request is ended only if its lease is
-- over. The caller has locked the account.
create function end_forwarded(change forwarded_change, now_ms bigint) returns json language plpgsql as $$
declare
  ended record;
  entry_no bigint;
  is_settled boolean := change.outcome = 'completed' or change.charge > 0;
begin
  update forwarded_requests f
  set ended_at = now_ms, lease_until = null, outcome = change.outcome, charged = change.charge, input_tokens = change.input_tokens,
    cached_input_tokens = change.cached_input_tokens, output_tokens = change.output_tokens, is_estimated = change.is_estimated,
    paid = change.paid
  where f.no = change.no and f.ended_at is null and (change.outcome <> 'abandoned' or f.lease_until <= now_ms)
  returning * into ended;
  if not found then return json_build_object('kind', 'missed'); end if;
  entry_no := append_entry(
    ended.account_no, ended.no, case when is_settled then 'settle' else 'release' end, ended.price - ended.charged, -ended.price, now_ms
  );
  perform give_back(entry_no, ended.no, ended.price, ended.price - ended.charged);
  perform expire_account(ended.account_no, now_ms);
  insert into usage as u (
    account_no, key_no, day, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown, input_tokens,
    cached_input_tokens, output_tokens
  )
  values (
    ended.account_no, coalesce(ended.key_no, 0), day_of_task(ended.no), ended.model, ended.route_no,
    (ended.outcome = 'completed')::int, (ended.outcome <> 'completed')::int, ended.charged, 0, coalesce(ended.paid, 0),
    (ended.route_no > 0 and ended.paid is null)::int, ended.input_tokens, ended.cached_input_tokens, ended.output_tokens
  )
  on conflict on constraint usage_pkey do update
  set completed = u.completed + excluded.completed, failed = u.failed + excluded.failed, charged = u.charged + excluded.charged,
    cost = u.cost + excluded.cost, cost_unknown = u.cost_unknown + excluded.cost_unknown,
    input_tokens = u.input_tokens + excluded.input_tokens, cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens;
  return null;
end $$;

-- Applies changes in order, and returns the outcomes of the changes that were not done. Every
-- process takes locks in the order of write_batch: accounts, requests, slot pools, each by number.
-- A change may be sent again if its connection was lost. It is then either already done, or missed.
create function change_forwarded(given json, given_ms bigint) returns json language plpgsql as $$
declare
  changes forwarded_change[];
  one forwarded_change;
  now_ms bigint;
  outcome json;
  outcomes json[] := '{}';
begin
  select array_agg(c order by c.i) into changes from json_populate_recordset(null::forwarded_change, given) c;
  perform from accounts a
  where a.no in (
    select c.account_no from unnest(changes) c
    union select f.account_no from unnest(changes) c join forwarded_requests f on f.no = c.no
  )
  order by a.no
  for no key update;
  perform from forwarded_requests f where f.no in (select c.no from unnest(changes) c) order by f.no for no key update;
  perform from slot_pools p
  where p.no in (select c.route_pool from unnest(changes) c union select c.upstream_pool from unnest(changes) c)
  order by p.no
  for no key update;
  now_ms := coalesce(given_ms, database_ms());
  foreach one in array changes loop
    outcome := case one.kind
      when 'hold_forwarded' then hold_forwarded(one, now_ms)
      when 'move_forwarded' then move_forwarded(one, now_ms)
      else end_forwarded(one, now_ms)
    end;
    if outcome is not null then outcomes := outcomes || json_build_array(one.i, outcome); end if;
  end loop;
  return array_to_json(outcomes);
end $$;
