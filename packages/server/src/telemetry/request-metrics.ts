import type { Registry } from 'prom-client'
import { addCopiedCounter, incrementCount } from './copied-counter.ts'
import { registerRequestTimes, RequestTimeHistogram } from './request-times.ts'
import type { Telemetry } from './telemetry.ts'

/** The responses to requests with one method for one route. */
interface Responses {
  byStatus: Map<number, number>
  times: RequestTimeHistogram
}

export function addRequestMetrics(registry: Registry): Pick<Telemetry, 'requestCompleted'> {
  const responsesByRoute = new Map<string, Map<string, Responses>>()
  addCopiedCounter(
    registry,
    {
      name: 'framegate_http_requests_total',
      help: 'Completed HTTP requests by route. The label is empty for requests without a route.',
      labelNames: ['method', 'route', 'status'],
    },
    (requests) => {
      for (const [route, byMethod] of responsesByRoute) {
        for (const [method, { byStatus }] of byMethod) {
          for (const [status, count] of byStatus) requests.inc({ method, route, status }, count)
        }
      }
    },
  )
  registerRequestTimes(registry, () =>
    [...responsesByRoute.values()].flatMap((byMethod) => [...byMethod.values()].map(({ times }) => times)),
  )

  function responsesOf(method: string, route: string): Responses {
    let byMethod = responsesByRoute.get(route)
    if (byMethod === undefined) responsesByRoute.set(route, (byMethod = new Map<string, Responses>()))
    let responses = byMethod.get(method)
    if (responses === undefined) {
      responses = { byStatus: new Map<number, number>(), times: new RequestTimeHistogram(method, route) }
      byMethod.set(method, responses)
    }
    return responses
  }

  return {
    requestCompleted({ method, route, status, elapsedMs, wasDelayedOnRequest }) {
      const { byStatus, times } = responsesOf(method, route ?? '')
      incrementCount(byStatus, status)
      if (!wasDelayedOnRequest) times.observe(elapsedMs)
    },
  }
}
