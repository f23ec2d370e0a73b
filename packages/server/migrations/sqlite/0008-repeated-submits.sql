-- Keys that the service itself makes begin with the character §. A repeated submit of a client without keys finds its
-- first task by them.
create index idempotency_keys_own_idx on idempotency_keys (account_no, key) where substr(key, 1, 1) = '§';
