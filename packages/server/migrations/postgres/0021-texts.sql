-- Content that a task has besides its parameters and files. `made_text` is the result of a text task as JSON: the text, and the
-- engine if the service wrote it itself. `improvement` is the outcome of improving the prompt of a media task, as JSON.
alter table tasks add column made_text text;
alter table tasks add column improvement text;

-- Only an erasure changes parameters. An improved prompt is removed with the prompt, and a text with its task. A task that has
-- failed keeps no text.
create function erase_texts() returns trigger language plpgsql as $$
begin
  new.improvement := null;
  if new.deleted_at is not null or new.status <> 'completed' then new.made_text := null; end if;
  return new;
end $$;
create trigger tasks_erase_texts before update of parameters on tasks
  for each row when (old.made_text is not null or old.improvement is not null) execute function erase_texts();
