-- Content that a task has besides its parameters and files. `made_text` is the result of a text task as JSON: the text, and the
-- engine if the service wrote it itself. `improvement` is the outcome of improving the prompt of a media task, as JSON.
alter table tasks add column made_text text;
alter table tasks add column improvement text;
