import type pg from 'pg'
import type { Load } from '../http/load.ts'
import type { BenchProcess } from '../http/bench-process.ts'
import type { Figures } from '../http/process-figures.ts'
import type { RequestText } from '../http/requests.ts'
import { postgresCpuMs } from './postgres-figures.ts'

export interface LoadOptions {
  load: Load
  connections: number
  roundSeconds: number
}

/** Combined figures of several processes under load. */
export interface CombinedFigures {
  perSecond: number
  /** p99 latency of the slowest process. */
  p99Ms: number
  /** CPU time of all service processes per response. */
  serviceCpuMicros: number
  /** CPU time of PostgreSQL per response. */
  postgresCpuMicros: number
}

/**
 * Sends the same requests to all processes at the same time. The connections are distributed evenly
 * among the processes, as by a load balancer.
 */
export async function loadOnSeveral(
  processes: readonly BenchProcess[],
  requests: readonly RequestText[],
  postgres: pg.Client,
  { load, connections, roundSeconds: seconds }: LoadOptions,
): Promise<CombinedFigures> {
  const postgresBefore = await postgresCpuMs(postgres)
  const measured = await Promise.all(
    processes.map((process) =>
      process.measure(() =>
        load({ port: process.port, requests, connections: Math.ceil(connections / processes.length), seconds }),
      ),
    ),
  )
  const postgresMs = (await postgresCpuMs(postgres)) - postgresBefore
  const failed = sumOf(measured, ({ result }) => result.failed)
  const responses = sumOf(measured, ({ result }) => result.responses)
  if (failed > 0) throw new Error(`${failed} of ${responses} requests failed: ${requests[0]}`)
  const serviceMs = sumOf(measured, ({ figures }: { figures: Figures }) => figures.mainCpuMs + figures.otherCpuMs)
  return {
    perSecond: sumOf(measured, ({ result }) => result.responses / result.seconds),
    p99Ms: Math.max(...measured.map(({ result }) => result.p99Ms)),
    serviceCpuMicros: (serviceMs / responses) * 1000,
    postgresCpuMicros: (postgresMs / responses) * 1000,
  }
}

function sumOf<T>(values: readonly T[], figureOf: (value: T) => number): number {
  return values.reduce((sum, value) => sum + figureOf(value), 0)
}
