-- The index of 0001 has the order of the virtual starts, which only last_virtual_start needed. Since
-- 0030, that function uses tasks_unclaimed_idx. Without an index by number, a list of an account's
-- queued or processing tasks read all of its running tasks, or the tasks of all accounts. With the
-- model, the index also contains all that the count of running tasks by model reads.
drop index tasks_running_idx;
create index tasks_running_idx on tasks (account_no, status, no) include (model) where ended_at is null;
