/** What a measured process can be asked to do, by name. */
export type Calls = Record<string, (argument: never) => unknown>

export interface CallMessage {
  name: string
  argument: unknown
}

/** In a process that is measured: says that it listens, answers calls one after the other, ends when its parent leaves it. */
export function answerCalls(port: number, calls: Calls, close: () => Promise<void>): void {
  process.on('message', ({ name, argument }: CallMessage) => {
    void Promise.resolve(calls[name]?.(argument as never)).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ fault: String(error) }),
    )
  })
  process.on('disconnect', () => void close().then(() => process.exit()))
  process.send?.({ result: port })
}
