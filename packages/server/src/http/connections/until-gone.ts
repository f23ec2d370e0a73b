import type { FastifyReply } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

/** Returns a signal that aborts if the client disconnects before the response is complete. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new AppError('invalid_request', 'The client has disconnected.'))
  })
  return gone.signal
}
