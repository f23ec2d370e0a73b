-- Idempotency keys that the service itself creates begin with the character §. If a client repeats
-- a submit without an idempotency key, the service finds the first task by such a key.
create index idempotency_keys_own_idx on idempotency_keys (account_no, key) where substr(key, 1, 1) = '§';
