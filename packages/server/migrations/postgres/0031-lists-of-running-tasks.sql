-- The index of 0001 has the order of the virtual starts, which only last_virtual_start needed. Since
-- 0030, that function uses tasks_unclaimed_idx. Without an index by number, a list of an account's
-- queued or processing tasks read all of its running tasks, or the tasks of all accounts. With the
-- model, the index also contains all that the count of running tasks by model reads.
--
-- Each batch of an earlier process locks the row of its writer first. This migration therefore waits
-- here for the batches that run, and cannot deadlock with them. Reads continue until the new index
-- is complete.
lock table writers in access exclusive mode;
create index tasks_running_new_idx on tasks (account_no, status, no) include (model) where ended_at is null;
drop index tasks_running_idx;
alter index tasks_running_new_idx rename to tasks_running_idx;
