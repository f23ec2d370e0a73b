/**
 * Returns the keys and brands whose counts differ from their tasks in flight, or from the prices of
 * their tasks and forwarded requests. The key 0 stands for tasks without a key.
 */
export async function findMiscountedTasks(select: (sql: string) => Promise<object[]>): Promise<object[]> {
  const ofKeys = await select(`
    with counted as (
      select account_no, key_no, day, tasks, credits, held from in_flight_counts where (tasks, credits, held) <> (0, 0, 0)
    ), found as (
      select account_no, coalesce(key_no, 0) as key_no, day_of_task(no) as day, count(*) filter (where waits = 0) as tasks,
        coalesce(sum(price) filter (where waits = 0), 0)::bigint as credits, sum(price)::bigint as held
      from (
        select account_no, key_no, no, price, waits from tasks where ended_at is null
        union all
        select account_no, key_no, no, price, null from forwarded_requests where ended_at is null
      ) unfinished
      group by 1, 2, 3
      having count(*) filter (where waits = 0) > 0 or sum(price) > 0
    )
    (select 'counted' as source, * from counted except all select 'counted', * from found)
    union all
    (select 'found', * from found except all select 'found', * from counted)`)
  const ofBrands = await select(`
    with counted as (
      select brand_no, sum(tasks)::bigint as tasks, sum(credits)::bigint as credits from brand_in_flight_counts group by brand_no
    ), found as (
      select a.brand_no, count(*) as tasks, sum(t.price)::bigint as credits
      from tasks t join accounts a on a.no = t.account_no
      where t.ended_at is null and t.waits = 0
      group by a.brand_no
    )
    select brand_no, c.tasks as tasks_counted, f.tasks as tasks_found, c.credits as credits_counted, f.credits as credits_found
    from counted c full join found f using (brand_no)
    where (coalesce(c.tasks, 0), coalesce(c.credits, 0)) <> (coalesce(f.tasks, 0), coalesce(f.credits, 0))`)
  return [...ofKeys, ...ofBrands]
}
