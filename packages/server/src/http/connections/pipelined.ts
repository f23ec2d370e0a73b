import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../lib/app-error.ts'

/** Counts a request. Throws an `AppError` if too many requests wait on its connection. */
export type PipelineLimit = (socket: Socket, response: ServerResponse) => void

/**
 * Limits the number of requests on a connection that wait behind another one. The service processes
 * a pipelined request immediately, as HTTP allows, but holds its response until the earlier
 * responses have been sent.
 */
export function createPipelineLimit(pipelinedMax: number): PipelineLimit {
  const waitingCounts = new WeakMap<Socket, number>()

  function changeCount(socket: Socket, change: 1 | -1): number {
    const waitingCount = (waitingCounts.get(socket) ?? 0) + change
    waitingCounts.set(socket, waitingCount)
    return waitingCount
  }

  return (socket, response) => {
    // Node assigns the socket to a response after the earlier responses have been sent.
    if (response.socket !== null) return
    const waitingCount = changeCount(socket, 1)
    response.once('close', () => changeCount(socket, -1))
    if (waitingCount <= pipelinedMax) return
    throw new AppError(
      'rate_limited',
      `More than ${pipelinedMax} requests are pending on this connection; read their responses first.`,
      {
        headers: { 'retry-after': '1', connection: 'close' },
      },
    )
  }
}
