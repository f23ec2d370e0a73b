import { spawnSync } from 'node:child_process'
import { BenchProcess } from './bench-process.ts'
import { loadByWrk } from './load-by-wrk.ts'
import type { LoadPlan, LoadResult } from './load-plan.ts'

export type Load = (plan: LoadPlan) => Promise<LoadResult>

/**
 * Opens a load generator. Unless the plan has `perSecond`, each connection sends its next request
 * when a response has arrived. The generator is wrk, which needs the least CPU time, or plain
 * sockets in a separate process if wrk is not installed or `prefersSockets` is true. A full HTTP
 * client in JavaScript would use several times the CPU time of the service, and the benchmark would
 * measure the client.
 */
export async function openLoad(prefersSockets: boolean): Promise<{ name: string; load: Load } & AsyncDisposable> {
  if (!prefersSockets && spawnSync('wrk', ['--version']).error === undefined) {
    return { name: 'wrk', load: loadByWrk, async [Symbol.asyncDispose]() {} }
  }
  const sockets = await BenchProcess.start('load-by-sockets.ts')
  return {
    name: 'plain sockets',
    load: (plan) => sockets.call<LoadResult>('load', plan),
    [Symbol.asyncDispose]: () => sockets[Symbol.asyncDispose](),
  }
}
