/** Calls that a measured process accepts, by name. */
export type Calls = Record<string, (argument: never) => unknown>

export interface CallMessage {
  name: string
  argument: unknown
}

/** Time limit for closing the service. After it, the process exits without waiting. */
const closeMs = 10_000

/**
 * Runs in a measured process: reports the port, serves calls one after the other, and ends with
 * its parent. The channel between them breaks even if the parent is killed.
 */
export function serveCalls(port: number, calls: Calls, close: () => Promise<void>): void {
  process.on('disconnect', () => end(close))
  // Ctrl-C reaches the children too, but the parent handles it. The children end after the parent
  // and remove their folders.
  process.on('SIGINT', () => {})
  if (!process.connected) {
    end(close)
    return
  }
  process.on('message', ({ name, argument }: CallMessage) => {
    void Promise.resolve(calls[name]?.(argument as never)).then(
      (result) => say({ result }),
      (error: unknown) => say({ error: String(error) }),
    )
  })
  say({ result: port })
}

/** Reports to the parent. Does nothing if the parent has ended. */
function say(message: object): void {
  process.send?.(message, () => {})
}

function end(close: () => Promise<void>): void {
  setTimeout(() => process.exit(1), closeMs).unref()
  void close().finally(() => process.exit())
}
