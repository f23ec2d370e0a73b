-- Content of a task in addition to its parameters and files. `made_text` is the result of a text
-- task as JSON. It contains the text, and the engine if the service wrote the text itself.
-- `improvement` is the outcome of improving the prompt of a media task, as JSON.
alter table tasks add column made_text text;
alter table tasks add column improvement text;
