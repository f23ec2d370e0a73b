-- The ledger. The account's row is locked before it is read, so that no other process changes its balance meanwhile. Functions
-- that lock say so; otherwise the caller does.

create function database_ms() returns bigint language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- Task numbers are milliseconds since 2020 times 4096, plus a counter (identity/task-id.ts).
create function first_task_no_at(ms bigint) returns bigint language sql immutable as $$
  select (ms - 1577836800000) * 4096
$$;

-- Days since 1970, UTC.
create function day_of_task(no bigint) returns bigint language sql immutable as $$
  select (no / 4096 + 1577836800000) / 86400000
$$;

create function first_day_of_month(day bigint) returns bigint language sql immutable as $$
  select floor(extract(epoch from date_trunc('month', to_timestamp(day * 86400) at time zone 'UTC')) / 86400)::bigint
$$;

-- Changes the balance and appends the entry for it. Returns the entry's number.
create function append_entry(
  of_account bigint, of_task bigint, of_kind text, adds bigint, holds bigint, now_ms bigint,
  with_note text default null, with_reference text default null
) returns bigint language plpgsql as $$
declare
  moved record;
  entry_no bigint;
begin
  update accounts
  set balance = balance + adds, held = held + holds, last_position = last_position + 1, last_at = greatest(last_at, now_ms)
  where no = of_account
  returning balance, last_position, last_at into moved;
  if not found then raise exception 'there is no account %', of_account; end if;
  insert into entries (account_no, position, task_no, kind, amount, held, balance_after, at, note, reference)
  values (of_account, moved.last_position, of_task, of_kind, adds, holds, moved.balance, moved.last_at, with_note, with_reference)
  returning no into entry_no;
  return entry_no;
end $$;

create function move_grant(of_grant bigint, of_entry bigint, of_task bigint, adds bigint) returns void language sql as $$
  update grants set remaining = remaining + adds where no = of_grant;
  insert into grant_parts (entry_no, grant_no, task_no, amount) values (of_entry, of_grant, of_task, adds);
$$;

-- Takes the part of an entry that expiring grants cover: those that expire first.
create function take_from_grants(of_account bigint, of_entry bigint, of_task bigint, taken bigint) returns void language plpgsql as $$
declare
  rest bigint := taken;
  part bigint;
  found_grant record;
begin
  for found_grant in
    select no, remaining from grants where account_no = of_account and remaining > 0 order by expires_at, no
  loop
    exit when rest = 0;
    part := least(rest, found_grant.remaining);
    rest := rest - part;
    perform move_grant(found_grant.no, of_entry, of_task, -part);
  end loop;
end $$;

-- Returns the unused part of a task's hold: first to the credits that do not expire, then to the grants that expire last.
create function give_back(of_entry bigint, of_task bigint, held bigint, back bigint) returns void language plpgsql as $$
declare
  rest bigint;
  part bigint;
  taken_part record;
begin
  select back - least(back, held - coalesce(-sum(amount), 0)) into rest from grant_parts where task_no = of_task;
  for taken_part in
    select g.no, -sum(p.amount) as taken
    from grant_parts p join grants g on g.no = p.grant_no
    where p.task_no = of_task
    group by g.no
    order by g.expires_at desc, g.no desc
  loop
    part := least(rest, taken_part.taken);
    continue when part = 0;
    rest := rest - part;
    perform move_grant(taken_part.no, of_entry, of_task, part);
  end loop;
end $$;

-- Removes the remaining credits of the account's expired grants.
create function expire_account(of_account bigint, now_ms bigint) returns void language plpgsql as $$
declare
  over record;
begin
  for over in
    select no, remaining
    from grants
    where account_no = of_account and remaining > 0 and expires_at <= now_ms
    order by expires_at, no
  loop
    perform move_grant(over.no, append_entry(of_account, null, 'expire', -over.remaining, 0, now_ms), null, -over.remaining);
  end loop;
end $$;

-- Locks the account. False: the reference was used before.
create function grant_credits(
  of_account bigint, adds bigint, with_note text, expires_ms bigint, with_reference text, now_ms bigint
) returns boolean language plpgsql as $$
declare
  entry_no bigint;
  grant_no bigint;
begin
  if adds <= 0 then raise exception 'a grant of % is none', adds; end if;
  perform from accounts where no = of_account for no key update;
  if exists (select from entries where reference = with_reference) then return false; end if;
  entry_no := append_entry(of_account, null, 'grant', adds, 0, now_ms, with_note, with_reference);
  if expires_ms is null then return true; end if;
  update accounts set has_grants = true where no = of_account and not has_grants;
  insert into grants (account_no, expires_at, remaining) values (of_account, expires_ms, 0) returning no into grant_no;
  perform move_grant(grant_no, entry_no, null, adds);
  perform expire_account(of_account, now_ms);
  return true;
end $$;

-- Locks the account. Null: the reference was used before. False: the balance does not cover it.
create function adjust_credits(of_account bigint, adds bigint, with_note text, with_reference text, now_ms bigint)
returns boolean language plpgsql as $$
declare
  entry_no bigint;
begin
  if adds = 0 then raise exception 'an adjustment of % is none', adds; end if;
  perform from accounts where no = of_account for no key update;
  if exists (select from entries where reference = with_reference) then return null; end if;
  perform expire_account(of_account, now_ms);
  if (select balance from accounts where no = of_account) + adds < 0 then return false; end if;
  entry_no := append_entry(of_account, null, 'adjust', adds, 0, now_ms, with_note, with_reference);
  if adds < 0 then perform take_from_grants(of_account, entry_no, null, -adds); end if;
  return true;
end $$;

-- Removes all expired credits, account by account.
create function expire_grants(now_ms bigint) returns void language plpgsql as $$
declare
  of_account bigint;
begin
  for of_account in select distinct account_no from grants where remaining > 0 and expires_at <= now_ms order by account_no loop
    perform from accounts where no = of_account for no key update;
    perform expire_account(of_account, now_ms);
  end loop;
end $$;
