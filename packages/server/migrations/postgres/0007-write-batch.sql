-- All writes of a process in one tick of its event loop: one round trip, one transaction. Every process locks in the same order:
-- brands with limits, accounts, tasks, slot pools, each by number. Claims skip locked tasks.
--
-- The lock on a pool makes its counts exact: only claims take slots, and only under that lock. Everything else can only free
-- slots and needs no lock.
--
-- Exactly once: batches are numbered, and the row of the process in `writers` has the result of the last one. A batch whose
-- result was lost with the connection is sent again under its number. If it was committed, the stored result is returned.
-- Otherwise it never will be: the row lock waits until the first transaction has ended.

create function write_batch(
  of_writer text, batch_no bigint, given_ms bigint, accounts_touched bigint[], tasks_touched bigint[],
  pools_touched bigint[], pool_changes json, claims json, steps json, ends json, tries json, accepts json
) returns text language plpgsql as $$
declare
  written record;
  now_ms bigint;
  outcomes json[] := '{}';
  changed bigint[] := '{}';
  one record;
  result_text text;
begin
  select batch, result into written from writers where id = of_writer for update;
  if not found then raise exception 'the writer % is not known', of_writer; end if;
  if written.batch = batch_no then return written.result; end if;
  if written.batch > batch_no then raise exception 'batch % was overtaken', batch_no; end if;

  perform from brands b
  where b.no in (select a.brand_no from accounts a where a.no = any (accounts_touched)
      union select a.brand_no from tasks t join accounts a on a.no = t.account_no where t.no = any (tasks_touched))
    and coalesce(b.tasks_in_flight_max, b.credits_in_flight_max) is not null
  order by b.no
  for no key update;
  perform from accounts a
  where a.no = any (accounts_touched)
    or (ends is not null and a.no = any (array(select t.account_no from tasks t where t.no = any (tasks_touched))))
  order by a.no
  for no key update;
  perform from tasks t where t.no = any (tasks_touched) order by t.no for no key update;
  perform from slot_pools p where p.no = any (pools_touched) order by p.no for no key update;
  now_ms := coalesce(given_ms, database_ms());

  if pool_changes is not null then perform change_pools(pool_changes, now_ms); end if;
  if claims is not null then
    for one in
      select (c ->> 'i')::int as i, c -> 'lanes' as lanes, (c ->> 'leaseMs')::bigint as lease_ms, (c ->> 'countMax')::bigint as count_max
      from json_array_elements(claims) with ordinality c (c, place)
      order by c.place
    loop
      outcomes := outcomes || json_build_array(one.i, case
        when one.lanes is null then take_due(one.lease_ms, one.count_max, now_ms)
        else json_build_object('kind', 'claimed', 'claims', claim_tasks(one.lanes, one.lease_ms, now_ms))
      end);
    end loop;
  end if;
  if steps is not null then
    for one in select * from step_tasks(steps, now_ms) loop
      if one.changed_no is not null then changed := changed || one.changed_no; end if;
      if one.outcome is not null then
        outcomes := outcomes || json_build_array(one.i, json_build_object('kind', one.outcome));
      end if;
    end loop;
  end if;
  if ends is not null then
    for one in select * from end_tasks(ends, now_ms) loop
      if one.error is null then
        changed := changed || one.task_no;
        outcomes := outcomes || json_build_array(one.i, json_build_object('kind', 'ended', 'endedAtMs', now_ms, 'charged', one.charged));
      else
        outcomes := outcomes || json_build_array(one.i, json_build_object('kind', 'failed', 'code', 'error', 'message', one.error));
      end if;
    end loop;
  end if;
  if tries is not null then
    for one in
      select * from json_to_recordset(tries) as t (i int, account_no bigint, key_no bigint, price bigint, asset_ids json)
    loop
      outcomes := outcomes || json_build_array(
        one.i, refusal_of(one.account_no, one.key_no, first_task_no_at(now_ms), one.price, one.asset_ids, now_ms)
      );
    end loop;
  end if;
  if accepts is not null then
    for one in select * from accept_tasks(accepts, now_ms) loop
      outcomes := outcomes || json_build_array(one.i, one.outcome);
    end loop;
  end if;

  result_text := json_build_object(
    'outcomes', array_to_json(outcomes),
    'changed', (
      select json_agg(row_to_json(c))
      from (
        select t.*, r.object_key, r.content_type, r.size_bytes, r.sha256, r.width, r.height, r.duration_ms, r.seed, r.expires_at, r.removed_at
        from tasks t left join results r on r.task_no = t.no and r.position = 0
        where t.no = any (changed)
      ) c
    )
  )::text;
  update writers set batch = batch_no, result = result_text where id = of_writer;
  return result_text;
end $$;
