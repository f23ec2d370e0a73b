-- 1: an operator has disabled the webhook, and its account cannot enable it.
alter table webhook_endpoints add column suspended bigint not null default 0;
