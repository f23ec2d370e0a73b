-- Uploads of assets that arrive in several requests. The bytes are stored as pieces in the media
-- store. `pieces` lists these objects in their order. Each is written as `number:bytes`, followed
-- by a space. `last_piece` is the highest number that was given to a piece, even if that piece was
-- not stored. An upload ends with an asset, or with an error (JSON), or is deleted without either.
create table uploads (
  no integer primary key,
  id text not null unique,
  account_no integer not null references accounts (no),
  size_bytes integer not null,
  metadata text,
  name text,
  sha256 text,
  received_bytes integer not null default 0,
  pieces text not null default '',
  last_piece integer not null default 0,
  created_at integer not null,
  expires_at integer not null,
  ended_at integer,
  asset_id text,
  error text,
  removed_at integer
);
create index uploads_account_no_idx on uploads (account_no, id);
create index uploads_expires_at_idx on uploads (expires_at);
create index uploads_removed_at_idx on uploads (ended_at) where removed_at is null;
