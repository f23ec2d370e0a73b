import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { LedgerCheck } from '../credits/ledger-check.ts'
import { countHeldTasks } from '../db/held-tasks.ts'
import type { Store } from '../db/store.ts'
import type { Backlog } from '../db/task-queries.ts'
import type { Clock } from '../lib/clock.ts'
import { readThrottled } from '../lib/read-throttled.ts'
import type { ExpiryClock } from '../credits/expiry-clock.ts'
import type { Routes } from '../routing/routes.ts'

const microCreditsPerCredit = 1_000_000
const circuitStates = ['closed', 'half_open', 'open'] as const
/** Minimum interval between two reads of the state, regardless of the number of scrapes. */
const readIntervalMs = 1_000

export interface StateSources {
  store: Pick<Store, 'readBacklog' | 'writeAheadLog' | 'database'>
  routes: Pick<Routes, 'routesInUse'>
  ledgerCheck: Pick<LedgerCheck, 'latest'>
  clock: Clock
  expiry: Pick<ExpiryClock, 'isFrozen' | 'jumpCount'>
  version: string
}

interface State {
  backlog: readonly Backlog[]
  balanceMicroCredits: number
  heldMicroCredits: number
  tasksOnHold: number
}

/**
 * Adds metrics that are computed on each scrape. Metrics of the whole installation have the same
 * values in each of its processes.
 */
export function addStateMetrics(registry: Registry, sources: StateSources): void {
  const { store, routes, ledgerCheck, clock, expiry } = sources
  const registers = [registry]
  const readState = readThrottled(clock, readIntervalMs, async (): Promise<State> => {
    const backlog = await store.readBacklog()
    const credits = await store.database
      .selectFrom('accounts')
      .select([floatSum('balance').as('balanceMicroCredits'), floatSum('held').as('heldMicroCredits')])
      .executeTakeFirstOrThrow()
    const tasksOnHold = await countHeldTasks(store.database)
    return { backlog, ...credits, tasksOnHold }
  })

  addGauge('framegate_tasks', 'Unfinished tasks of the whole installation.', ['model', 'status'], async (gauge) => {
    const { backlog } = await readState()
    for (const { model, status, tasks } of backlog) gauge.set({ model, status }, tasks)
  })
  addGauge('framegate_queue_age_seconds', 'Age of the oldest queued task.', ['model'], async (gauge) => {
    const { backlog } = await readState()
    for (const { model, status, oldestAtMs } of backlog) {
      if (status === 'queued') gauge.set({ model }, Math.max(0, clock() - oldestAtMs) / 1000)
    }
  })
  addGauge('framegate_credits_balance', 'Sum of the account balances in credits.', [], async (gauge) => {
    gauge.set((await readState()).balanceMicroCredits / microCreditsPerCredit)
  })
  addGauge('framegate_credits_held', 'Credits held by unfinished tasks and requests.', [], async (gauge) => {
    gauge.set((await readState()).heldMicroCredits / microCreditsPerCredit)
  })
  addGauge(
    'framegate_ledger_differences',
    'Differences found by the last ledger check; 0 if the ledger balances.',
    [],
    (gauge) => {
      if (ledgerCheck.latest !== null) gauge.set(ledgerCheck.latest.differences)
    },
  )
  addGauge('framegate_ledger_checked_timestamp_seconds', 'Time of the last ledger check.', [], (gauge) => {
    if (ledgerCheck.latest !== null) gauge.set(ledgerCheck.latest.atMs / 1000)
  })
  addGauge(
    'framegate_route_in_flight',
    'Attempts in flight by route, in all processes; for embedded routes only in this process.',
    ['route'],
    (gauge) => {
      for (const route of routes.routesInUse()) gauge.set({ route: route.name }, route.inFlight)
    },
  )
  addGauge('framegate_route_circuit', '1 for the current state of the circuit of a route.', ['route', 'state'], (gauge) => {
    for (const route of routes.routesInUse()) {
      const { circuit } = route.stateAt(clock())
      for (const state of circuitStates) gauge.set({ route: route.name, state }, state === circuit ? 1 : 0)
    }
  })
  addGauge(
    'framegate_expiry_held',
    '1 while expiry does not follow the system clock, because that clock has jumped ahead.',
    [],
    (gauge) => gauge.set(expiry.isFrozen ? 1 : 0),
  )
  addGauge('framegate_clock_jumps', 'Clock jumps of a minute or more since the start.', [], (gauge) =>
    gauge.set(expiry.jumpCount),
  )
  addGauge('framegate_tasks_held', 'Tasks on hold since the installation was restored from a copy.', [], async (gauge) => {
    gauge.set((await readState()).tasksOnHold)
  })
  addGauge('framegate_database_log_bytes', 'Size of the write-ahead log of SQLite.', [], (gauge) => {
    const log = store.writeAheadLog()
    if (log !== null) gauge.set(log.bytes)
  })
  addGauge(
    'framegate_database_log_held',
    '1 while a long read transaction makes the write-ahead log of SQLite grow.',
    [],
    (gauge) => {
      const log = store.writeAheadLog()
      if (log !== null) gauge.set(log.isBlocked ? 1 : 0)
    },
  )
  addGauge('framegate_build_info', 'Always 1.', ['version'], (gauge) => gauge.set({ version: sources.version }, 1))

  function addGauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        gauge.reset()
        // A reset sets a gauge without labels to 0, which would be a false value if `read` sets none.
        if (labelNames.length === 0) gauge.remove()
        await read(gauge)
      },
    })
  }
}

/**
 * SQL expression for the sum of a column as a floating-point number. The sum over all accounts may
 * exceed the integers of SQL and JavaScript, and Prometheus stores gauges as such numbers.
 */
function floatSum(column: 'balance' | 'held') {
  return sql<number>`coalesce(sum(cast(${sql.ref(column)} as double precision)), 0)`
}
