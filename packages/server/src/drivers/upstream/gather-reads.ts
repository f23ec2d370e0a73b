/**
 * One request for everything that is asked for at about the same time. Each one is told its own answer, undefined where there is none,
 * or the error of the request that it shared.
 */
export function gatherReads<Answer>(
  readMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  { idsMax, gatherMs }: { idsMax: number; gatherMs: number },
): (id: string) => Promise<Answer | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<Answer | undefined>>()

  async function readAll(): Promise<void> {
    const asked = waiting
    waiting = new Map()
    if (asked.size === 0) return
    try {
      const answers = await readMany([...asked.keys()])
      for (const [id, { resolve }] of asked) resolve(answers.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }

  return (id) => {
    const known = waiting.get(id)
    if (known !== undefined) return known.promise
    const own = Promise.withResolvers<Answer | undefined>()
    waiting.set(id, own)
    if (waiting.size === 1) setTimeout(() => void readAll(), gatherMs)
    if (waiting.size === idsMax) void readAll()
    return own.promise
  }
}
