// The regular service with a driver of `bench-drivers.ts`, which generates no media.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isTerminal } from '@framegate/contract'
import { loadConfig, startServer } from '../../packages/server/src/index.ts'
import { serveCalls } from './serve-calls.ts'
import { addAccounts, firstAccountNo, limitAccount } from './bench-accounts.ts'
import { createBenchDriver, type BenchDriver } from './bench-drivers.ts'
import { BenchTasks } from './bench-tasks.ts'
import { addOldDeliveries } from './old-deliveries.ts'
import { bytesPerMegabyte, memoryAfterCollectionMb, createMeasuringCalls } from './process-figures.ts'
import { cpuByThreadMs } from './thread-cpu.ts'

export interface ServiceOptions {
  driver: BenchDriver
  inFlightMax: number
  accounts: number
  /** Additional settings, such as another database or a role. */
  settings?: Record<string, string>
}

export interface Memory {
  beforeCollection: number
  afterCollection: number
}

const { driver, inFlightMax, accounts, settings } = JSON.parse(process.argv[2] ?? '{}') as ServiceOptions
// One thread serves HTTP, as in the baseline.
const oneThread = { FRAMEGATE_THREADS: '1' }
const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
const server = await startServer(
  loadConfig({
    env: { ...process.env, FRAMEGATE_DATA_DIR: dataDir, FRAMEGATE_PORT: '0', ...oneThread, ...settings },
    cwd: dataDir,
  }),
  { embedded: { driver: await createBenchDriver(driver), inFlightMax } },
)
const keys = await addAccounts(server, accounts)
const tasks = new BenchTasks(server.store)
let endedCount = 0
server.store.onTaskChanged((task) => {
  if (isTerminal(task.status)) endedCount += 1
})

const calls = {
  ...createMeasuringCalls(),
  cpuByThread: () => cpuByThreadMs(),
  keys: () => keys,
  limit: async (index: number) => {
    await limitAccount(server, firstAccountNo + index)
    return index
  },
  run: (count: number) => tasks.run(firstAccountNo, count),
  endedTasks: async (count: number) => {
    const ids = await tasks.run(firstAccountNo, count)
    await tasks.complete(ids)
    return ids
  },
  complete: (ids: string[]) => tasks.complete(ids),
  verifyCredits: () => server.store.verifyCredits(),
  claimTimes: (count: number) => tasks.claimTimes(firstAccountNo, count),
  cancelAll: () => tasks.cancelAll(),
  addOldDeliveries: (count: number) => addOldDeliveries(path.join(dataDir, 'framegate.db'), count),
  ended: () => endedCount,
  processing: async () => {
    const { count } = await server.store.database
      .selectFrom('tasks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'processing')
      .executeTakeFirstOrThrow()
    return count
  },
  /** Memory of the process, before and after a full garbage collection. */
  memoryMb: (): Memory => {
    const beforeCollection = process.memoryUsage().rss / bytesPerMegabyte
    return { beforeCollection, afterCollection: memoryAfterCollectionMb() }
  },
}

serveCalls(Number(new URL(server.baseUrl).port), calls, async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})
