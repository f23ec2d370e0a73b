-- Models that an operator has defined through the API, in the format of the configuration file.
create table stored_models (
  id text primary key,
  definition text not null,
  created_at integer not null,
  changed_at integer not null
) without rowid;
create trigger stored_models_added after insert on stored_models begin update config_version set version = version + 1; end;
create trigger stored_models_changed after update on stored_models begin update config_version set version = version + 1; end;
create trigger stored_models_gone after delete on stored_models begin update config_version set version = version + 1; end;

-- Every definition of a model that is or was in use, from the API or from a file. A task refers to
-- the definition under which it was accepted. The reference of a task with a built-in model is
-- null.
create table model_versions (
  no integer primary key,
  model text not null,
  digest text not null,
  definition text not null,
  created_at integer not null,
  unique (model, digest)
);
create trigger model_versions_never_change before update on model_versions begin select raise(abort, 'a version never changes'); end;
create trigger model_versions_never_go before delete on model_versions begin select raise(abort, 'a version never goes'); end;
alter table tasks add column model_version_no integer;
