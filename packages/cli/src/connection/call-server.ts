import type { Framegate } from '@framegate/sdk'
import { watchForInterruption } from '../interruption.ts'
import { writeToStderr } from '../terminal/write.ts'
import { connect, describeRetry, explainFailure } from './connect.ts'
import type { ConnectionOptions } from './connection-options.ts'
import { findServer } from './find-server.ts'

export interface ServerSession {
  client: Framegate
  baseUrl: string
  /** Options for every request. They let Ctrl-C abort it, and print a notice for each retry. */
  call: { signal: AbortSignal; onRetry: (retry: Parameters<typeof describeRetry>[0]) => void }
}

/**
 * Runs a command that only sends requests: finds the server, calls `sendRequests` and reports
 * failures. Returns the exit code.
 */
export async function callServer(
  options: ConnectionOptions,
  whenNone: 'start server' | 'require server',
  sendRequests: (session: ServerSession) => Promise<number>,
): Promise<number> {
  using interruption = watchForInterruption()
  const { signal } = interruption
  await using server = await findServer(options, writeToStderr, whenNone)
  try {
    signal.throwIfAborted()
    return await sendRequests({
      client: connect(server),
      baseUrl: server.baseUrl,
      call: { signal, onRetry: (retry) => writeToStderr(describeRetry(retry)) },
    })
  } catch (error) {
    if (signal.aborted) return interruption.exitCode
    throw explainFailure(error)
  }
}
