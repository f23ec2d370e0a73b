import { spawnSync } from 'node:child_process'
import { MeasuredProcess } from './measured-process.ts'
import type { RequestText } from './requests.ts'
import { loadByWrk } from './load-by-wrk.ts'

export interface LoadJob {
  port: number
  requests: readonly RequestText[]
  connections: number
  seconds: number
  /** At most so many requests; plain sockets alone can count. */
  requestsMax?: number | undefined
}

/** What the clients saw. `failed` counts every answer that is not 2xx, and everything that is no answer. */
export interface LoadResult {
  answered: number
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

export type Load = (job: LoadJob) => Promise<LoadResult>

/**
 * Asks as fast as it is answered, over so many connections: by wrk where it is installed, which takes the least of the machine
 * from what is measured, otherwise by plain sockets in a process of its own. A full HTTP client in JavaScript would spend
 * several times what the measured service does, and measure itself.
 */
export async function openLoad(prefersSockets: boolean): Promise<{ name: string; load: Load } & AsyncDisposable> {
  if (!prefersSockets && spawnSync('wrk', ['--version']).error === undefined) {
    return { name: 'wrk', load: loadByWrk, async [Symbol.asyncDispose]() {} }
  }
  const sockets = await MeasuredProcess.start('load-by-sockets.ts')
  return {
    name: 'plain sockets',
    load: (job) => sockets.call<LoadResult>('load', job),
    [Symbol.asyncDispose]: () => sockets[Symbol.asyncDispose](),
  }
}
