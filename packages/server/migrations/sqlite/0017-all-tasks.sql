-- The names under which queries read past tasks as well. SQLite has no tables of past tasks.
create view all_tasks as select * from tasks;
create view all_task_attempts as select * from task_attempts;
create view all_results as select * from results;
