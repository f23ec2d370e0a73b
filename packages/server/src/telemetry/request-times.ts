import type { Metric, Registry } from 'prom-client'

const metricName = 'framegate_http_request_duration_seconds'
const bucketBoundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const bucketBoundsMs = bucketBoundsSeconds.map((seconds) => seconds * 1000)

/** Histogram of response times for a method of a route. */
export class RequestTimeHistogram {
  readonly labels: { method: string; route: string }
  /** One count for each upper bound, and one for values above the last bound. */
  readonly #counts = new Float64Array(bucketBoundsMs.length + 1)
  #sumMs = 0

  constructor(method: string, route: string) {
    this.labels = { method, route }
  }

  observe(elapsedMs: number): void {
    let bucket = 0
    while (bucket < bucketBoundsMs.length && elapsedMs > (bucketBoundsMs[bucket] ?? Infinity)) bucket++
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sumMs += elapsedMs
  }

  /**
   * Returns the samples of the histogram for Prometheus. There, each bucket includes the counts of
   * all smaller buckets.
   */
  listValues(): { metricName: string; labels: Record<string, string | number>; value: number }[] {
    let count = 0
    const buckets = [...bucketBoundsSeconds, '+Inf'].map((le, bucket) => {
      count += this.#counts[bucket] ?? 0
      return { metricName: `${metricName}_bucket`, labels: { le, ...this.labels }, value: count }
    })
    if (count === 0) return []
    return [
      ...buckets,
      { metricName: `${metricName}_sum`, labels: this.labels, value: this.#sumMs / 1000 },
      { metricName: `${metricName}_count`, labels: this.labels, value: count },
    ]
  }
}

/**
 * Adds the histograms of all routes and methods to the registry. prom-client's own histograms are
 * not used, because they would build and look up a string of the labels on every request.
 */
export function registerRequestTimes(registry: Registry, listHistograms: () => Iterable<RequestTimeHistogram>): void {
  const description = {
    name: metricName,
    help: 'Duration of HTTP requests, except event streams and those that requested a wait.',
    type: 'histogram',
    aggregator: 'sum',
  }
  const metric = {
    ...description,
    get: async () => ({ ...description, values: [...listHistograms()].flatMap((times) => times.listValues()) }),
    reset: () => {},
  }
  // A registry uses only these members, although its type requires a class of prom-client.
  registry.registerMetric(metric as unknown as Metric)
}
