import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Figures } from './measured-service.ts'

export type Cores = 'all' | 'one'

export interface CompletedTask {
  /** Time from the submit to the response that reports the end of the task. */
  ms: number
  id: string
}

const servicePath = fileURLToPath(new URL('measured-service.ts', import.meta.url))

/** A measured service in a child process, with a client for it. */
export class Service {
  readonly #child: ChildProcess
  readonly #baseUrl: string
  readonly #key: string

  private constructor(child: ChildProcess, { baseUrl, key }: { baseUrl: string; key: string }) {
    this.#child = child
    this.#baseUrl = baseUrl
    this.#key = key
  }

  /** Starts the service. `modules` are loaded before it. */
  static async start(environment: Record<string, string>, cores: Cores, modules: readonly URL[] = []): Promise<Service> {
    // The launcher of the command line sets this variable too (decision 0006).
    const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072', ...environment }
    const imports = modules.map(({ href }) => `--import=${href}`)
    const pinnedOptions =
      cores === 'one' ? { execPath: 'taskset', execArgv: ['--cpu-list', '0', process.execPath, ...imports] } : {}
    const child = fork(servicePath, { env, execArgv: [...process.execArgv, ...imports], ...pinnedOptions })
    const [ready] = (await once(child, 'message')) as [{ baseUrl: string; key: string }]
    return new Service(child, ready)
  }

  /** Runs a task. Throws an error if it fails. */
  async make(body: object): Promise<CompletedTask> {
    const startedAt = performance.now()
    const { id } = await this.#request('POST', '/v2/model-center/tasks', body)
    let task = { status: 'queued', error: null as string | null }
    while (task.status === 'queued' || task.status === 'processing') {
      task = await this.#request('GET', `/v2/model-center/tasks/${id}?wait=60`)
    }
    if (task.status !== 'completed') throw new Error(`a task failed: ${task.error}`)
    return { ms: performance.now() - startedAt, id }
  }

  /** Sends a GET request, and discards the response. */
  async get(path: string): Promise<void> {
    const response = await this.#fetch('GET', path)
    await response.arrayBuffer()
  }

  /** Returns the figures of the service for the time in which `work` runs. */
  async measure(work: () => Promise<unknown>): Promise<Figures> {
    this.#child.send('begin')
    await work()
    this.#child.send('end')
    const [figures] = (await once(this.#child, 'message')) as [Figures]
    return figures
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }

  async #request(method: string, path: string, body?: object) {
    const response = await this.#fetch(method, path, body)
    return (await response.json()) as { id: string; status: string; error: string | null }
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
}
