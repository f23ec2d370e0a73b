-- Small images of a result, which are stored beside its file. 0 bytes: none can be made of it.
alter table results add column thumbnail_bytes integer;
alter table results add column thumbnail_sha256 text;
alter table results add column spritesheet_bytes integer;
alter table results add column spritesheet_sha256 text;
-- Until then one process is making a preview of the result.
alter table results add column previews_until integer;
