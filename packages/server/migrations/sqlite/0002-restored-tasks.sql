-- A restored copy of an installation does not know about jobs that were started after the backup. Its unfinished tasks make no
-- further attempt until an operator releases them (decision 0023).
--   held 0    no restriction
-- held 1    no further attempt; without an open attempt the task is not in the queue, and `waits` is 2
-- held 2    released: before a submit the upstream is searched for a job of the same attempt, if it can be searched
alter table tasks add column held integer not null default 0;
create index tasks_held_idx on tasks (no) where waits = 2;
