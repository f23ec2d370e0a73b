/** Selects the numbers of all tasks that have not ended. Each part of the union uses one index. */
export const unfinishedTasks = `
  select no from tasks where virtual_start is not null
  union all select no from tasks where due_at is not null and virtual_start is null and waits = 0
  union all select no from tasks where waits = 1
  union all select no from tasks where waits = 2`
