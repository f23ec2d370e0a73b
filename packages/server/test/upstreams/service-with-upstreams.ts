import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'
import { startServer, type StartedServer } from '../started-server.ts'

/** A started service whose routes lead to simulated upstreams. */
export interface ServiceWithUpstreams extends AsyncDisposable {
  server: StartedServer
  dataDir: string
  /** Rewrites the routing file, which the service reloads automatically. */
  configure(routing: Routing): void
  /** Rewrites the routing file and waits until it is in use. Needs `LOG_LEVEL: 'info'`. */
  use(routing: Routing): Promise<void>
  submit(body: Record<string, unknown>): Promise<string>
  task(id: string): Promise<TaskResponse>
  /** Waits until the task has this status. */
  until(id: string, status: string): Promise<TaskResponse>
  timeline(id: string): Promise<{ event: string; route?: string; outcome?: string }[]>
  /** Rows that a query reads directly from the database. */
  rows(sql: string): Record<string, unknown>[]
  /** Kills the service with SIGKILL and starts it again on the same data. */
  killAndRestart(): Promise<void>
}

export interface Routing {
  upstreams: Record<string, Record<string, unknown>>
  routes: Record<string, unknown>[]
}

export interface TaskResponse {
  id: string
  status: string
  progress: number
  amount: number
  actualDuration: number | null
  result_url?: string
  error: string | null
  error_code?: string
}

export async function startServiceWithUpstreams(
  routing: Routing,
  environment: Record<string, string> = {},
): Promise<ServiceWithUpstreams> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-upstream-'))
  const file = path.join(folder, 'framegate.yaml')
  const dataDir = path.join(folder, 'data')
  const start = (): Promise<StartedServer> =>
    startServer(dataDir, { FRAMEGATE_CONFIG: file, FRAMEGATE_ALLOW_HOSTS: '127.0.0.1', ...environment })
  // JSON is valid YAML.
  const writeRouting = (routing: Routing): void => writeFileSync(file, JSON.stringify(routing, null, 1))
  writeRouting(routing)

  const service: ServiceWithUpstreams = {
    server: await start(),
    dataDir,
    configure: writeRouting,
    async use(routing) {
      const reloadsBefore = countReloads(service)
      writeRouting(routing)
      await vi.waitUntil(() => countReloads(service) > reloadsBefore, { timeout: 20_000 })
    },
    async submit(body) {
      const response = await service.server.request('POST', '/v2/model-center/tasks', body)
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
      return ((await response.json()) as { id: string }).id
    },
    async task(id) {
      return (await (await service.server.request('GET', `/v2/model-center/tasks/${id}`)).json()) as TaskResponse
    },
    until: (id, status) =>
      vi.waitUntil(
        async () => {
          const task = await service.task(id)
          return task.status === status ? task : undefined
        },
        { timeout: 60_000, interval: 100 },
      ),
    async timeline(id) {
      const response = await service.server.request('GET', `/v2/model-center/tasks/${id}/timeline`)
      return ((await response.json()) as { events: { event: string }[] }).events
    },
    rows(sql) {
      const database = new DatabaseSync(path.join(dataDir, 'framegate.db'), { readOnly: true })
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    },
    async killAndRestart() {
      await service.server.kill()
      service.server = await start()
    },
    async [Symbol.asyncDispose]() {
      await service.server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return service
}

/**
 * Returns the number of routing-file reloads in the log, plus one. Only meant for comparing two
 * values.
 */
function countReloads({ server }: ServiceWithUpstreams): number {
  return server.log().split('its upstreams, routes and models are now in use').length
}
