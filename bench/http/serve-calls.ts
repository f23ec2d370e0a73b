/** Remote calls that a measured process accepts, by name. */
export type Calls = Record<string, (argument: never) => unknown>

export interface CallMessage {
  name: string
  argument: unknown
}

/** Timeout for closing the service, after which the process exits anyway. */
const closeMsMax = 10_000

/**
 * Runs in a measured process. Reports the port to the parent, and executes each call of the parent
 * when it arrives. Calls `close` and exits when the IPC channel closes, which also happens if the
 * parent is killed.
 */
export function serveCalls(port: number, calls: Calls, close: () => Promise<void>): void {
  process.on('disconnect', () => closeAndExit(close))
  // Ctrl-C is also sent to the children, but only the parent handles it. The children end after the
  // parent, and remove their folders.
  process.on('SIGINT', () => {})
  if (!process.connected) {
    closeAndExit(close)
    return
  }
  process.on('message', ({ name, argument }: CallMessage) => {
    void Promise.resolve(calls[name]?.(argument as never)).then(
      (result) => sendToParent({ result }),
      (error: unknown) => sendToParent({ error: String(error) }),
    )
  })
  sendToParent({ result: port })
}

/** Sends a message to the parent. Does nothing if the parent has ended. */
function sendToParent(message: object): void {
  process.send?.(message, () => {})
}

function closeAndExit(close: () => Promise<void>): void {
  setTimeout(() => process.exit(1), closeMsMax).unref()
  void close().finally(() => process.exit())
}
