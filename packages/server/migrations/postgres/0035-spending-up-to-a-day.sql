-- What a key had spent while a clock was ahead counted toward its limits on spending until that time
-- came, because the sums began with a day and had no end. They now end with the day of the task. The
-- sum of a month also includes the next day, because shortly after midnight, a task of the new day may
-- be written before a task of the previous one.
create function spent_between(of_account bigint, of_key bigint, first_day bigint, last_day bigint) returns bigint
language plpgsql stable as $$
begin
  return
    coalesce((
      select sum(u.charged)
      from usage u
      where u.account_no = of_account and u.key_no = of_key and u.day between first_day and last_day
    ), 0)
    + coalesce((
      select sum(c.held)
      from in_flight_counts c
      where c.account_no = of_account and c.key_no = of_key and c.day between first_day and last_day
    ), 0);
end $$;

-- The function of 0003, which summed up everything since the day. `spent_since` stays, because batches
-- that wait for this migration still call it.
create or replace function overspending_of(of_account bigint, of_key bigint, of_task bigint, of_price bigint) returns json
language plpgsql as $$
declare
  today constant bigint := day_of_task(of_task);
  month_start constant bigint := first_day_of_month(today);
  limits record;
  spent bigint;
begin
  if of_key is null then return null; end if;
  select spent_per_day_max as day_max, spent_per_month_max as month_max into limits from api_keys where no = of_key;
  if limits.day_max is not null then
    spent := spent_between(of_account, of_key, today, today);
    if spent + of_price > limits.day_max then
      return json_build_object('kind', 'spending_limit', 'period', 'day', 'max', limits.day_max, 'spent', spent);
    end if;
  end if;
  if limits.month_max is not null then
    spent := spent_between(of_account, of_key, month_start, today + (first_day_of_month(today + 1) = month_start)::int);
    if spent + of_price > limits.month_max then
      return json_build_object('kind', 'spending_limit', 'period', 'month', 'max', limits.month_max, 'spent', spent);
    end if;
  end if;
  return null;
end $$;
