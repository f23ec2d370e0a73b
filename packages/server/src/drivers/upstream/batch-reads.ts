import { workForMany } from '../../identity/current-work.ts'

export type ReadMany<Result> = (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Result>>

export type ReadOne<Result> = (id: string, signal: AbortSignal) => Promise<Result>

/**
 * One request for all callers that arrive before it is sent. It is aborted when the last of them
 * has aborted.
 */
interface Batch<Result> {
  asked: Map<string, PromiseWithResolvers<Result | undefined>>
  callers: number
  abandoned: AbortController
  timer: NodeJS.Timeout | undefined
}

/**
 * Combines reads that arrive at about the same time into one request. Each caller gets its own
 * result, undefined if there is none, or the error of the shared request. A caller whose signal
 * aborts is rejected at once.
 */
export function batchReads<Result>(
  readMany: ReadMany<Result>,
  { idsMax, batchDelayMs }: { idsMax: number; batchDelayMs: number },
): ReadOne<Result | undefined> {
  let next: Batch<Result> = emptyBatch()

  function closeBatch(): Batch<Result> {
    const batch = next
    next = emptyBatch()
    clearTimeout(batch.timer)
    return batch
  }

  async function send(): Promise<void> {
    const { asked, abandoned } = closeBatch()
    try {
      const responses = await workForMany(() => readMany([...asked.keys()], abandoned.signal))
      for (const [id, { resolve }] of asked) resolve(responses.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }

  function join(batch: Batch<Result>, id: string): Promise<Result | undefined> {
    batch.callers++
    const known = batch.asked.get(id)
    if (known !== undefined) return known.promise
    const own = Promise.withResolvers<Result | undefined>()
    batch.asked.set(id, own)
    if (batch.asked.size === 1) batch.timer = setTimeout(() => void send(), batchDelayMs)
    if (batch.asked.size === idsMax) void send()
    return own.promise
  }

  function leave(batch: Batch<Result>, reason: unknown): void {
    batch.callers--
    if (batch.callers > 0) return
    if (batch === next) closeBatch()
    batch.abandoned.abort(reason)
  }

  return (id, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const batch = next
      const goAway = (): void => {
        reject(signal.reason)
        leave(batch, signal.reason)
      }
      signal.addEventListener('abort', goAway, { once: true })
      join(batch, id)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', goAway))
    })
}

function emptyBatch<Result>(): Batch<Result> {
  return { asked: new Map(), callers: 0, abandoned: new AbortController(), timer: undefined }
}
