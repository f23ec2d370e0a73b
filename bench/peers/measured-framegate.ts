// The regular service with a route for videos and one for images to the fast upstream.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { loadConfig, startServer } from '../../packages/server/src/index.ts'
import { addAccounts } from '../http/bench-accounts.ts'
import { memoryAfterCollectionMb } from '../http/process-figures.ts'
import { serveCalls } from '../http/serve-calls.ts'

export interface FramegateOptions {
  upstreamPort: number
  folder: string
  /** Additional settings, such as another database. */
  settings: Record<string, string>
  pollsPerSecond: number
  /** Key of an installation that was started before. Default: a new account with credits. */
  key?: string
}

const { upstreamPort, folder, settings, pollsPerSecond, key } = JSON.parse(process.argv[2] ?? '{}') as FramegateOptions
const upstream = { driver: 'openai', base_url: `http://127.0.0.1:${upstreamPort}/v1`, api_key: 'k', in_flight_max: 100_000 }
const routing = {
  upstreams: { main: { ...upstream, polls_per_second: pollsPerSecond } },
  routes: [
    { model: 'vidDq3-turbo', upstream: 'main', upstream_model: 'm' },
    { model: 'imgA-5.0', upstream: 'main', upstream_model: 'i' },
  ],
}
writeFileSync(path.join(folder, 'framegate.yaml'), JSON.stringify(routing))
const env = { ...process.env, FRAMEGATE_DATA_DIR: folder, FRAMEGATE_PORT: '0', FRAMEGATE_ALLOW_HOSTS: '127.0.0.1', ...settings }
const server = await startServer(loadConfig({ env, cwd: folder }))
const keys = key === undefined ? await addAccounts(server, 1) : [key]
let completedCount = 0
server.store.onTaskChanged(({ status }) => {
  if (status === 'completed') completedCount += 1
})
const calls = { keys: () => keys, completed: () => completedCount, memoryMb: memoryAfterCollectionMb }
serveCalls(Number(new URL(server.baseUrl).port), calls, () => server.close())
