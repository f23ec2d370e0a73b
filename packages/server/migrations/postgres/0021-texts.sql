-- Content of a task in addition to its parameters and files. `made_text` is the result of a text
-- task as JSON. It contains the text, and the engine if the service wrote the text itself.
-- `improvement` is the outcome of improving the prompt of a media task, as JSON.
alter table tasks add column made_text text;
alter table tasks add column improvement text;

-- Removes texts when content is erased. The trigger runs on an update of the parameters, because
-- only an erasure changes them. An improved prompt is removed together with the prompt. The text of
-- a completed task is removed when the task is deleted. A task that is not completed keeps no text.
create function erase_texts() returns trigger language plpgsql as $$
begin
  new.improvement := null;
  if new.deleted_at is not null or new.status <> 'completed' then new.made_text := null; end if;
  return new;
end $$;
create trigger tasks_erase_texts before update of parameters on tasks
  for each row when (old.made_text is not null or old.improvement is not null) execute function erase_texts();
