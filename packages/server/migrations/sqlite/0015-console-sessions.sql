-- Sessions of the console. A session acts with the secret of the API key that was entered, so it is
-- valid no longer than that secret.
create table console_sessions (
  -- SHA-256 of the token in the browser's cookie, base64url.
  digest text primary key,
  -- The digest of the secret, as in api_key_secrets.
  secret_digest text not null,
  created_at integer not null,
  used_at integer not null,
  -- Time at which the key was last entered. Null: the session began with a sign-in link.
  confirmed_at integer
) without rowid;
create index console_sessions_secret_digest_idx on console_sessions (secret_digest, used_at);
create index console_sessions_used_at_idx on console_sessions (used_at);
