import { workForMany } from '../../identity/current-work.ts'

export type ReadMany<Answer> = (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Answer>>

export type ReadOne<Answer> = (id: string, signal: AbortSignal) => Promise<Answer>

/**
 * One request for all callers that arrive before it is sent. It is aborted when the last of them
 * has gone.
 */
interface Round<Answer> {
  asked: Map<string, PromiseWithResolvers<Answer | undefined>>
  askers: number
  abandoned: AbortController
  timer: NodeJS.Timeout | undefined
}

/**
 * Combines reads that arrive at about the same time into one request. Each caller gets its own
 * result, undefined if there is none, or the error of the shared request. A caller whose signal
 * aborts is rejected at once.
 */
export function batchReads<Answer>(
  readMany: ReadMany<Answer>,
  { idsMax, batchDelayMs }: { idsMax: number; batchDelayMs: number },
): ReadOne<Answer | undefined> {
  let next: Round<Answer> = emptyRound()

  function closeRound(): Round<Answer> {
    const round = next
    next = emptyRound()
    clearTimeout(round.timer)
    return round
  }

  async function send(): Promise<void> {
    const { asked, abandoned } = closeRound()
    try {
      const answers = await workForMany(() => readMany([...asked.keys()], abandoned.signal))
      for (const [id, { resolve }] of asked) resolve(answers.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }

  function join(round: Round<Answer>, id: string): Promise<Answer | undefined> {
    round.askers++
    const known = round.asked.get(id)
    if (known !== undefined) return known.promise
    const own = Promise.withResolvers<Answer | undefined>()
    round.asked.set(id, own)
    if (round.asked.size === 1) round.timer = setTimeout(() => void send(), batchDelayMs)
    if (round.asked.size === idsMax) void send()
    return own.promise
  }

  function leave(round: Round<Answer>, reason: unknown): void {
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

function emptyRound<Answer>(): Round<Answer> {
  return { asked: new Map(), askers: 0, abandoned: new AbortController(), timer: undefined }
}
