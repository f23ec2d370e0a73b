import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../lib/app-error.ts'

/**
 * Limits the number of pipelined requests on a connection. The service processes each request
 * immediately, as HTTP allows, but holds its response until the earlier responses have been sent.
 */
export function createPipelineLimit(pipelinedMax: number): (socket: Socket, response: ServerResponse) => void {
  const requestsBySocket = new WeakMap<Socket, number>()

  function count(socket: Socket, change: number): number {
    const changedCount = (requestsBySocket.get(socket) ?? 0) + change
    requestsBySocket.set(socket, changedCount)
    return changedCount
  }

  return (socket, response) => {
    // Node assigns the socket to a response after the earlier responses have been sent.
    if (response.socket !== null) return
    const waitingNow = count(socket, 1)
    response.once('close', () => count(socket, -1))
    if (waitingNow <= pipelinedMax) return
    throw new AppError(
      'rate_limited',
      `More than ${pipelinedMax} requests are pending on this connection; read their responses first.`,
      {
        headers: { 'retry-after': '1', connection: 'close' },
      },
    )
  }
}
