/** Figures of a kind of load, with this number of threads. CPU times are per response. */
export interface ThreadFigures {
  threads: number
  perSecond: number
  p99Ms: number
  mainMicros: number
  /** Sum over the HTTP threads, without the main thread. */
  httpMicros: number
  writerMicros: number
}

export interface CaseFigures {
  what: string
  byThreads: readonly ThreadFigures[]
}

export interface ModeledRate {
  perSecond: number
  /** The thread or threads that limit the throughput, because they are fully busy. */
  limit: 'the main thread' | 'the other threads' | 'the writer'
}

/**
 * Returns a function that computes the throughput on a machine with a core for each thread. It
 * assumes that the connections are distributed evenly, and that the CPU times do not change beyond
 * the highest measured number of threads. With n threads that serve HTTP, the work is divided:
 *
 *   main thread     1/n of all requests, and its part in the requests of the other threads
 *   other threads   (n-1)/n of all requests
 *   writer          the writes of all submits
 */
export function fitModel({ byThreads }: CaseFigures): (threads: number) => ModeledRate {
  const oneThread = byThreads[0]
  const mostThreads = byThreads.at(-1)
  if (oneThread?.threads !== 1 || mostThreads === undefined || mostThreads.threads === 1)
    throw new Error('measure 1 thread first, and then more')
  const { threads: n, mainMicros, httpMicros } = mostThreads
  const httpMicrosPerRequest = (httpMicros * n) / (n - 1)
  const mainMicrosForOthers = Math.max(0, (mainMicros * n - oneThread.mainMicros) / (n - 1))
  const writerMicros = Math.max(...byThreads.map((figures) => figures.writerMicros))
  return (threads) => {
    const busiest = [
      { limit: 'the main thread', micros: (oneThread.mainMicros + (threads - 1) * mainMicrosForOthers) / threads },
      { limit: 'the other threads', micros: httpMicrosPerRequest / threads },
      { limit: 'the writer', micros: writerMicros },
    ] as const
    const { limit, micros } = busiest.toSorted((left, right) => right.micros - left.micros)[0] ?? busiest[0]
    return { limit, perSecond: 1_000_000 / micros }
  }
}
