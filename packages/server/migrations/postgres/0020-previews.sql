-- Previews of a result: small images that are stored next to its file. 0 bytes: no preview can be
-- made of the result.
alter table results
  add column thumbnail_bytes bigint,
  add column thumbnail_sha256 text,
  add column spritesheet_bytes bigint,
  add column spritesheet_sha256 text,
  -- Until this time, one process has reserved the work on the previews of the result.
  add column previews_until bigint;
