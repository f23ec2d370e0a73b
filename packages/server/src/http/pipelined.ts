import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../lib/app-error.ts'

/**
 * Requests that wait on their connection for the answers before theirs. Each is begun at once, as HTTP allows, and its answer is
 * kept until its turn comes: a connection may have so many and no more.
 */
export function createPipelineLimit(pipelinedMax: number): (socket: Socket, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, number>()

  function count(socket: Socket, change: number): number {
    const changed = (waiting.get(socket) ?? 0) + change
    waiting.set(socket, changed)
    return changed
  }

  return (socket, response) => {
    // Node gives an answer its socket when its turn has come.
    if (response.socket !== null) return
    const waitingNow = count(socket, 1)
    response.once('close', () => count(socket, -1))
    if (waitingNow <= pipelinedMax) return
    throw new AppError('rate_limited', `More than ${pipelinedMax} requests wait on this connection; read their answers first.`, {
      headers: { 'retry-after': '1', connection: 'close' },
    })
  }
}
