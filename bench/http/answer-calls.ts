/** What a measured process can be asked to do, by name. */
export type Calls = Record<string, (argument: never) => unknown>

export interface CallMessage {
  name: string
  argument: unknown
}

/** A service that does not close by then is left to the system. */
const closeMs = 10_000

/**
 * In a process that is measured: says that it listens, answers calls one after the other, and ends when its parent leaves it,
 * whichever way: the channel between them breaks even when the parent is killed.
 */
export function answerCalls(port: number, calls: Calls, close: () => Promise<void>): void {
  process.on('disconnect', () => end(close))
  // Ctrl-C reaches the children too. It is the parent's business: they end after it, and take their folders with them.
  process.on('SIGINT', () => {})
  if (!process.connected) {
    end(close)
    return
  }
  process.on('message', ({ name, argument }: CallMessage) => {
    void Promise.resolve(calls[name]?.(argument as never)).then(
      (result) => say({ result }),
      (error: unknown) => say({ fault: String(error) }),
    )
  })
  say({ result: port })
}

/** To a parent that may be gone by now: then nobody minds. */
function say(answer: object): void {
  process.send?.(answer, () => {})
}

function end(close: () => Promise<void>): void {
  setTimeout(() => process.exit(1), closeMs).unref()
  void close().finally(() => process.exit())
}
