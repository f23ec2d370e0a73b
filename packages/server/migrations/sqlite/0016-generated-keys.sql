-- Generated idempotency keys are now found by an index in the writer's memory.
drop index idempotency_keys_own_idx;
