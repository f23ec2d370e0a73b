-- A restored copy of an installation does not know what was made since the copy. A task that had not ended by then makes no further
-- attempt until an operator releases it (decision 0023).
--   held 0    no restriction
--   held 1    no further attempt; while none is open the task has no turn, and `waits` is 2
--   held 2    released: before a submit the upstream is asked for the job of the same attempt, where it can be asked
alter table tasks add column held integer not null default 0;
create index tasks_held_idx on tasks (no) where waits = 2;
