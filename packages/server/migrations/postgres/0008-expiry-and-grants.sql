-- Replaces functions of 0002 and 0004.

-- The clock of expiry. A process whose clock has jumped ahead sets an earlier one for its connection (credits/expiry-clock.ts).
create function expiry_ms(now_ms bigint) returns bigint language sql stable as $$
  select least(now_ms, nullif(current_setting('framegate.expiry_ms', true), '')::bigint)
$$;

-- Removes the remaining credits of the account's expired grants.
create or replace function expire_account(of_account bigint, now_ms bigint) returns void language plpgsql as $$
declare
  over record;
begin
  for over in
    select no, remaining
    from grants
    where account_no = of_account and remaining > 0 and expires_at <= expiry_ms(now_ms)
    order by expires_at, no
  loop
    perform move_grant(over.no, append_entry(of_account, null, 'expire', -over.remaining, 0, now_ms), null, -over.remaining);
  end loop;
end $$;

-- Result for an idempotency key that was used before: the first task, or a conflict. Null: the key is new.
create or replace function replay_of(task new_task, now_ms bigint) returns json language sql stable as $$
  select case
    when t.model = task.model and t.parameters = task.parameters and k.digest = task.digest
      then json_build_object('kind', 'replayed', 'no', t.no, 'tail', t.tail)
    else json_build_object('kind', 'key_reused')
  end
  from idempotency_keys k join tasks t on t.no = k.task_no
  where k.account_no = task.account_no and k.key = task.key and k.task_no >= first_task_no_at(expiry_ms(now_ms) - 86400000)
$$;

-- Refuses a grant or correction whose total for the account exceeds what a JSON number holds exactly (TooMuchGiven). The account
-- is locked.
create function require_countable(of_account bigint, adds bigint) returns void language plpgsql as $$
declare
  given numeric;
begin
  select coalesce(sum(amount), 0) into given from entries where account_no = of_account and task_no is null and amount > 0;
  if given + adds > 8000000000000000 then
    raise exception 'the account was given % micro-credits before', given using errcode = 'FG001', detail = given::text;
  end if;
end $$;

-- As in 0002, within that limit. Locks the account. False: the reference was used before.
create or replace function grant_credits(
  of_account bigint, adds bigint, with_note text, expires_ms bigint, with_reference text, now_ms bigint
) returns boolean language plpgsql as $$
declare
  entry_no bigint;
  grant_no bigint;
begin
  if adds <= 0 then raise exception 'a grant of % is none', adds; end if;
  perform from accounts where no = of_account for no key update;
  if exists (select from entries where reference = with_reference) then return false; end if;
  perform require_countable(of_account, adds);
  entry_no := append_entry(of_account, null, 'grant', adds, 0, now_ms, with_note, with_reference);
  if expires_ms is null then return true; end if;
  update accounts set has_grants = true where no = of_account and not has_grants;
  insert into grants (account_no, expires_at, remaining) values (of_account, expires_ms, 0) returning no into grant_no;
  perform move_grant(grant_no, entry_no, null, adds);
  perform expire_account(of_account, now_ms);
  return true;
end $$;

-- As in 0002, within that limit. Locks the account. Null: the reference was used before. False: the balance does not cover it.
create or replace function adjust_credits(of_account bigint, adds bigint, with_note text, with_reference text, now_ms bigint)
returns boolean language plpgsql as $$
declare
  entry_no bigint;
begin
  if adds = 0 then raise exception 'an adjustment of % is none', adds; end if;
  perform from accounts where no = of_account for no key update;
  if exists (select from entries where reference = with_reference) then return null; end if;
  if adds > 0 then perform require_countable(of_account, adds); end if;
  perform expire_account(of_account, now_ms);
  if (select balance from accounts where no = of_account) + adds < 0 then return false; end if;
  entry_no := append_entry(of_account, null, 'adjust', adds, 0, now_ms, with_note, with_reference);
  if adds < 0 then perform take_from_grants(of_account, entry_no, null, -adds); end if;
  return true;
end $$;
