import { workForMany } from '../../identity/current-work.ts'

export type ReadMany<Result> = (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Result>>

export type ReadOne<Result> = (id: string, signal: AbortSignal) => Promise<Result>

/**
 * One request for all callers that arrive before it is sent. It is aborted when the last of them
 * has gone.
 */
interface Round<Result> {
  asked: Map<string, PromiseWithResolvers<Result | undefined>>
  askers: number
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
  let next: Round<Result> = emptyRound()

  function closeRound(): Round<Result> {
    const round = next
    next = emptyRound()
    clearTimeout(round.timer)
    return round
  }

  async function send(): Promise<void> {
    const { asked, abandoned } = closeRound()
    try {
      const responses = await workForMany(() => readMany([...asked.keys()], abandoned.signal))
      for (const [id, { resolve }] of asked) resolve(responses.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }

  function join(round: Round<Result>, id: string): Promise<Result | undefined> {
    round.askers++
    const known = round.asked.get(id)
    if (known !== undefined) return known.promise
    const own = Promise.withResolvers<Result | undefined>()
    round.asked.set(id, own)
    if (round.asked.size === 1) round.timer = setTimeout(() => void send(), batchDelayMs)
    if (round.asked.size === idsMax) void send()
    return own.promise
  }

  function leave(round: Round<Result>, reason: unknown): void {
    round.askers--
    if (round.askers > 0) return
    if (round === next) closeRound()
    round.abandoned.abort(reason)
  }

  return (id, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const round = next
      const goAway = (): void => {
        reject(signal.reason)
        leave(round, signal.reason)
      }
      signal.addEventListener('abort', goAway, { once: true })
      join(round, id)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', goAway))
    })
}

function emptyRound<Result>(): Round<Result> {
  return { asked: new Map(), askers: 0, abandoned: new AbortController(), timer: undefined }
}
