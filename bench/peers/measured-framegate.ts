// The regular service with one route to the fast upstream.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isTerminal } from '@framegate/contract'
import { loadConfig, startServer } from '../../packages/server/src/index.ts'
import { taskIdOf } from '../../packages/server/src/identity/task-id.ts'
import { addAccounts } from '../http/bench-accounts.ts'
import { memoryAfterCollectionMb, figureCalls } from '../http/process-figures.ts'
import { serveCalls } from '../http/serve-calls.ts'

const { upstreamPort, settings = {} } = JSON.parse(process.argv[2] ?? '{}') as {
  upstreamPort: number
  settings?: Record<string, string>
}
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
const upstream = { driver: 'openai', base_url: `http://127.0.0.1:${upstreamPort}/v1`, api_key: 'k', in_flight_max: 100_000 }
const routing = {
  upstreams: { main: { ...upstream, polls_per_second: 100 } },
  routes: [{ model: 'vidDq3-turbo', upstream: 'main', upstream_model: 'm' }],
}
writeFileSync(path.join(folder, 'framegate.yaml'), JSON.stringify(routing))
const env = { ...process.env, FRAMEGATE_DATA_DIR: folder, FRAMEGATE_PORT: '0', FRAMEGATE_ALLOW_HOSTS: '127.0.0.1', ...settings }
const server = await startServer(loadConfig({ env, cwd: folder }))
const keys = await addAccounts(server, 1)
let endedCount = 0
server.store.onTaskChanged((task) => {
  if (isTerminal(task.status)) endedCount += 1
})
serveCalls(
  Number(new URL(server.baseUrl).port),
  {
    ...figureCalls(),
    keys: () => keys,
    ended: () => endedCount,
    runningTasks: async (count: number) => {
      const rows = await server.store.query
        .selectFrom('tasks')
        .select(['no', 'tail'])
        .where('status', '=', 'processing')
        .limit(count)
        .execute()
      return rows.map(({ no, tail }) => taskIdOf(no, tail))
    },
    memoryMb: memoryAfterCollectionMb,
  },
  async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  },
)
