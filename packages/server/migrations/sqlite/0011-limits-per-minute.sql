-- Limits on forwarded requests per minute, and on their tokens per minute. Null: unlimited.
alter table api_keys add column requests_per_minute_max integer;
alter table api_keys add column tokens_per_minute_max integer;
alter table accounts add column requests_per_minute_max integer;
alter table accounts add column tokens_per_minute_max integer;

-- The view of 0001, with the new columns.
drop view accounts_now;
create view accounts_now as
select
  a.no, a.id, a.brand_no, a.name, a.status,
  a.balance + coalesce(later.amount, 0) as balance,
  a.held + coalesce(later.held, 0) as held,
  coalesce(later.entry_no, a.last_entry_no) as last_entry_no,
  a.created_at, a.tasks_in_flight_max, a.credits_in_flight_max, a.over_limit, a.requests_per_minute_max, a.tokens_per_minute_max
from accounts a
left join (
  select account_no, sum(amount) as amount, sum(held) as held, max(no) as entry_no
  from entries
  where no > (select entry_no from balances_written)
  group by account_no
) later on later.account_no = a.no;
create trigger accounts_rates_changed after update of requests_per_minute_max, tokens_per_minute_max on accounts
begin update config_version set version = version + 1; end;
create trigger api_keys_rates_changed after update of requests_per_minute_max, tokens_per_minute_max on api_keys
begin update config_version set version = version + 1; end;
