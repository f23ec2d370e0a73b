import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { readLines } from './read-lines.ts'
import { isRequest, readMessage, type Message } from './message.ts'
import { sendMessage, type Endpoint } from './send-message.ts'

export interface BridgeOptions extends Endpoint {
  input: Readable
  output: Writable
  /** Aborting it stops the bridge immediately. */
  signal: AbortSignal
  /** Reports a problem that cannot be returned as a response to the host. */
  report: (reason: string) => void
}

/**
 * Maximum number of concurrent calls. Further messages wait. A host rarely makes more than a few
 * calls at a time.
 */
const concurrentCallsMax = 64
/**
 * Delays in ms before a request is sent again after a broken connection. The service charges a
 * retried call once.
 */
const retryDelaysMs = [500, 2_000]

/**
 * Connects a host that speaks MCP on stdin and stdout to the MCP endpoint of a server. Sends each
 * message to the endpoint and writes each message of the response as a line. Messages pass through
 * unchanged. Resolves when the input has ended and no call is running.
 */
export async function runBridge({ input, output, signal, report, ...endpoint }: BridgeOptions): Promise<void> {
  const runningCalls = new Map<Promise<void>, { id: unknown; isCancelledByAbort: boolean; cancel: AbortController }>()
  let revision: string | undefined
  /** Backpressure: resolves when the output drains. Undefined while the host keeps up. */
  let drained: Promise<unknown> | undefined

  for await (const line of readLines(input, signal)) {
    // Stops reading input while the host does not read, so that responses do not accumulate in
    // memory.
    await drained
    const message = line === null ? undefined : readMessage(line)
    if (message === undefined) {
      write({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Each line must be one JSON-RPC message of at most 17 MiB.' },
      })
      continue
    }
    if (cancelLocally(message)) continue
    while (runningCalls.size >= concurrentCallsMax) await Promise.race(runningCalls.keys())
    const cancel = new AbortController()
    const call = forward(message, AbortSignal.any([signal, cancel.signal])).finally(() => runningCalls.delete(call))
    // Only messages from revision 2026-07-28 on contain their revision.
    runningCalls.set(call, { id: message.id, isCancelledByAbort: message.revision !== undefined, cancel })
    // Later messages need the protocol revision from the response to `initialize`.
    if (message.method === 'initialize') await call
  }
  await Promise.all(runningCalls.keys())
  await drained

  /**
   * Cancels a call of revision 2026-07-28 by aborting its HTTP request. Returns whether the message
   * is a cancellation of such a call.
   */
  function cancelLocally({ method, params }: Message): boolean {
    if (method !== 'notifications/cancelled') return false
    const calls = [...runningCalls.values()].filter(
      ({ id, isCancelledByAbort }) => isCancelledByAbort && id !== undefined && id === params['requestId'],
    )
    for (const { cancel } of calls) cancel.abort()
    return calls.length > 0
  }

  async function forward(message: Message, endSignal: AbortSignal): Promise<void> {
    for (const delayMs of [...retryDelaysMs, null]) {
      const sentMessage = { ...message, revision: message.revision ?? revision }
      const outcome = await sendMessage(endpoint, sentMessage, endSignal, (received) => {
        if (message.method === 'initialize') revision = revisionIn(received) ?? revision
        write(received)
      })
      if (outcome === 'done' || endSignal.aborted) return
      if (delayMs === null || !isRequest(message)) return fail(message, outcome)
      await sleep(delayMs, undefined, { signal: endSignal }).catch(() => undefined)
    }
  }

  function fail(message: Message, { reason, data }: { reason: string; data?: object }): void {
    if (isRequest(message)) {
      write({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: reason, ...(data && { data }) } })
    } else report(reason)
  }

  function write(message: object): void {
    if (output.write(`${JSON.stringify(message)}\n`)) return
    drained ??= once(output, 'drain', { signal })
      .catch(() => undefined)
      .finally(() => (drained = undefined))
  }
}

function revisionIn(message: object): string | undefined {
  const { result } = message as { result?: { protocolVersion?: unknown } }
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined
}
