-- Limits on forwarded requests per minute, and on their tokens per minute. Null: unlimited.
alter table api_keys add column requests_per_minute_max bigint, add column tokens_per_minute_max bigint;
alter table accounts add column requests_per_minute_max bigint, add column tokens_per_minute_max bigint;
create trigger accounts_rates_changed after update of requests_per_minute_max, tokens_per_minute_max on accounts
  execute function raise_config_version();
create trigger api_keys_rates_changed after update of requests_per_minute_max, tokens_per_minute_max on api_keys
  execute function raise_config_version();
