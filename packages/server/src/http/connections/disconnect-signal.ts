import type { FastifyReply } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** Returns a signal that aborts if the client disconnects before the response is complete. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new AppError('invalid_request', 'The client has disconnected.'))
  })
  return controller.signal
}
