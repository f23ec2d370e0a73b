/** A call in progress, which its client may cancel. */
export interface OpenCall {
  cancelled: AbortSignal
  close: () => void
}

/**
 * Tool calls in progress, by API key and call id. In revision 2025-11-25, a client cancels a call
 * with a notification, which is a separate request. Call ids are unique only within a client. If
 * two clients with the same key use the same id, a cancellation ends the wait of both calls. Both
 * clients then get the current state of their tasks.
 */
export class OpenCalls {
  readonly #controllersByCall = new Map<string, Set<AbortController>>()

  open(keyNo: number, id: string | number): OpenCall {
    const key = keyOf(keyNo, id)
    const controllers = this.#controllersByCall.get(key) ?? new Set()
    const controller = new AbortController()
    this.#controllersByCall.set(key, controllers.add(controller))
    return {
      cancelled: controller.signal,
      close: () => {
        controllers.delete(controller)
        if (controllers.size === 0) this.#controllersByCall.delete(key)
      },
    }
  }

  cancel(keyNo: number, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    for (const controller of this.#controllersByCall.get(keyOf(keyNo, id)) ?? []) controller.abort()
  }
}

function keyOf(keyNo: number, id: string | number): string {
  return `${keyNo} ${JSON.stringify(id)}`
}
