import pg from 'pg'
import { openPostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { addAccounts, type CaseOptions, type Engine, type EngineStore, type Observation } from '../routing/engine.ts'
import { createRandom, nextTick, type VirtualProcess, type VirtualTime } from '../routing/virtual-time.ts'
import { startMs } from '../../src/db/store-under-test.ts'
import { GatedConnections } from './gated-connections.ts'
import { Messages } from './messages.ts'
import { openTestStore } from './open-test-store.ts'
import { StatementGate } from './statement-gate.ts'

interface Case {
  time: VirtualTime
  gate: StatementGate
  messages: Messages
}

/** Engine on PostgreSQL: several workers on one database, each with its own store. */
export class PostgresEngine implements Engine, AsyncDisposable {
  readonly workersMax = 3
  readonly finalPauseMsMax = 60_000
  readonly #url: string
  readonly #client: pg.Client
  #case: Case | null = null
  #opened = 0

  private constructor(url: string, client: pg.Client) {
    this.#url = url
    this.#client = client
  }

  /** Opens the engine. `url` names a new database. */
  static async make(url: string): Promise<PostgresEngine> {
    const store = await openTestStore(url, () => startMs)
    await addAccounts(store)
    await store[Symbol.asyncDispose]()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(keepForEachCaseSql)
    return new PostgresEngine(url, client)
  }

  get isIdle(): boolean {
    return this.#case?.gate.isIdle ?? true
  }

  async begin({ time, seed, isConcurrent }: CaseOptions): Promise<void> {
    await this.#client.query('select kept.begin_case()')
    const random = createRandom(seed)
    this.#case = { time, gate: new StatementGate(random, isConcurrent), messages: new Messages(random) }
  }

  async open(process: VirtualProcess): Promise<EngineStore> {
    if (this.#case === null) throw new Error('no case has begun')
    const { time, gate, messages } = this.#case
    this.#opened += 1
    const name = `worker_${this.#opened}`
    const url = new URL(this.#url)
    url.searchParams.set('application_name', name)
    const connections = new GatedConnections(url.href, process, gate, messages)
    const store = await openPostgresStore({ connections, clock: time.clock })
    return {
      store,
      crash: async () => {
        gate.close(process)
        connections.destroy()
        await this.#untilEnded(name)
        await messages.deliverAll((payload) => this.#client.query("select pg_notify('framegate', $1)", [payload]))
      },
    }
  }

  async observe(): Promise<Observation> {
    const requested = { name: 'look', text: observeSql, values: [this.#case?.time.nowMs] }
    const { rows } = await this.#client.query<Observation>(requested)
    return rows[0] ?? { pools: [], due: [] }
  }

  async step(): Promise<void> {
    await this.#case?.gate.step()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }

  /** Waits until the server has finished the statements of a worker and released its locks. */
  async #untilEnded(name: string): Promise<void> {
    // Engines of other test files have workers with the same names, on other databases of the server.
    const text = 'select from pg_stat_activity where datname = current_database() and application_name = $1'
    const requested = { name: 'still_there', text, values: [name] }
    while (((await this.#client.query(requested)).rowCount ?? 0) > 0) await nextTick()
  }
}

const observeSql = `
  select pool_states() as pools, (
    select coalesce(json_agg(json_build_object('tail', tail, 'lease_fence', lease_fence, 'lease_until', lease_until)), '[]')
    from tasks
    where ended_at is null and due_at <= $1 and waits = 0
  ) as due`

/**
 * Saves the rows that each test case starts with. Commits are asynchronous, because the database
 * need not survive a crash of the server.
 */
const keepForEachCaseSql = `
  do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$;
  drop trigger entries_never_go on entries;
  drop trigger grant_parts_never_go on grant_parts;
  drop trigger prices_never_go on prices;
  drop trigger model_versions_never_go on model_versions;
  create schema kept;
  create table kept.brands as table brands;
  create table kept.accounts as table accounts;
  create table kept.entries as table entries;
  create table kept.grants as table grants;

  create function kept.begin_case() returns void language plpgsql as $$
  declare
    emptied text;
    kept_table text;
  begin
    select string_agg(format('public.%I', tablename), ', ') into emptied
    from pg_tables
    where schemaname = 'public' and tablename not in ('migrations', 'config_version');
    execute 'truncate ' || emptied || ' restart identity';
    perform setval('admissions', 1, false);
    foreach kept_table in array array['brands', 'accounts', 'entries', 'grants'] loop
      execute format('insert into public.%I select * from kept.%I', kept_table, kept_table);
      execute format(
        'select setval(pg_get_serial_sequence(%L, %L), (select count(*) + 1 from kept.%I), false)',
        'public.' || kept_table, 'no', kept_table
      );
    end loop;
  end $$;
`
