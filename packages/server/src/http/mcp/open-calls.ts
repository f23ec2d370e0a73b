/** An open call that its client may cancel. */
export interface OpenCall {
  cancelled: AbortSignal
  close: () => void
}

/**
 * Tool calls in progress, by API key and call id. In revision 2025-11-25, a client cancels a call
 * with a notification, which is a separate request. Call ids are unique only within a client. If
 * two clients with the same key use the same id, a cancellation may end the wait of both calls.
 * Each of them then gets the current state of its task.
 */
export class OpenCalls {
  readonly #calls = new Map<string, Set<AbortController>>()

  open(keyNo: number, id: string | number): OpenCall {
    const name = nameOf(keyNo, id)
    const calls = this.#calls.get(name) ?? new Set()
    const controller = new AbortController()
    this.#calls.set(name, calls.add(controller))
    return {
      cancelled: controller.signal,
      close: () => {
        calls.delete(controller)
        if (calls.size === 0) this.#calls.delete(name)
      },
    }
  }

  cancel(keyNo: number, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    for (const call of this.#calls.get(nameOf(keyNo, id)) ?? []) call.abort()
  }
}

function nameOf(keyNo: number, id: string | number): string {
  return `${keyNo} ${JSON.stringify(id)}`
}
