import { runForManyAttempts } from '../../identity/current-work.ts'

export type ReadMany<Result> = (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Result>>

export type ReadOne<Result> = (id: string, signal: AbortSignal) => Promise<Result>

/**
 * One request for all reads that arrive before the request is sent. It is aborted when all its
 * callers have aborted.
 */
interface Batch<Result> {
  pendingReads: Map<string, PromiseWithResolvers<Result | undefined>>
  callerCount: number
  cancellation: AbortController
  timer: NodeJS.Timeout | undefined
}

/**
 * Combines reads into one request, which is sent `batchDelayMs` after its first read, or as soon as
 * it has `idsMax` ids. Each call resolves to the result for its id (undefined if there is none), or
 * rejects with the error of the shared request. If its signal aborts, it rejects immediately.
 */
export function batchReads<Result>(
  readMany: ReadMany<Result>,
  { idsMax, batchDelayMs }: { idsMax: number; batchDelayMs: number },
): ReadOne<Result | undefined> {
  let nextBatch: Batch<Result> = emptyBatch()

  function closeBatch(): Batch<Result> {
    const batch = nextBatch
    nextBatch = emptyBatch()
    clearTimeout(batch.timer)
    return batch
  }

  async function send(): Promise<void> {
    const { pendingReads, cancellation } = closeBatch()
    try {
      const responses = await runForManyAttempts(() => readMany([...pendingReads.keys()], cancellation.signal))
      for (const [id, { resolve }] of pendingReads) resolve(responses.get(id))
    } catch (error) {
      for (const { reject } of pendingReads.values()) reject(error)
    }
  }

  function addRead(batch: Batch<Result>, id: string): Promise<Result | undefined> {
    batch.callerCount++
    const existingRead = batch.pendingReads.get(id)
    if (existingRead !== undefined) return existingRead.promise
    const newRead = Promise.withResolvers<Result | undefined>()
    batch.pendingReads.set(id, newRead)
    if (batch.pendingReads.size === 1) batch.timer = setTimeout(() => void send(), batchDelayMs)
    if (batch.pendingReads.size === idsMax) void send()
    return newRead.promise
  }

  function abortRead(batch: Batch<Result>, reason: unknown): void {
    batch.callerCount--
    if (batch.callerCount > 0) return
    if (batch === nextBatch) closeBatch()
    batch.cancellation.abort(reason)
  }

  return (id, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const batch = nextBatch
      const onAbort = (): void => {
        reject(signal.reason)
        abortRead(batch, signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      addRead(batch, id)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', onAbort))
    })
}

function emptyBatch<Result>(): Batch<Result> {
  return { pendingReads: new Map(), callerCount: 0, cancellation: new AbortController(), timer: undefined }
}
