import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { currentWork } from '../identity/current-work.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import { createdAtMsOf } from '../identity/task-id.ts'
import { registerRequestTimes, RequestTimeHistogram } from './request-times.ts'
import type { Telemetry } from './telemetry.ts'

const bucketSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]

/** Interval of the measurements of the event loop's lag. Each one wakes an idle process. */
const eventLoopLagIntervalMs = 50

/**
 * Prometheus metrics that events of this process update. `addStateMetrics` adds the metrics that
 * are computed on each scrape.
 */
export interface Metrics extends Telemetry {
  readonly registry: Registry
}

let processRegistry: Registry | undefined

/**
 * Returns the registry with the metrics of this process, such as its memory. All services in the
 * process share it, because prom-client cannot stop measuring.
 */
function findOrCreateProcessRegistry(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: eventLoopLagIntervalMs })
  }
  return processRegistry
}

/**
 * Creates the metrics of a thread. With `ofProcess`, they include those of the process, such as its
 * memory, which only the main thread exports.
 */
export function createMetrics({ ofProcess = true } = {}): Metrics {
  const registry = ofProcess ? Registry.merge([findOrCreateProcessRegistry()]) : new Registry()
  const registers = [registry]
  // Hot counters: prom-client's label lookup is too slow here, so these maps count, and each scrape
  // copies them.
  const responsesByRoute = new Map<string, Map<string, Responses>>()
  const acceptedByModel = new Map<string, number>()
  const requests: Counter = new Counter({
    name: 'framegate_http_requests_total',
    help: 'Completed HTTP requests by route. The label is empty for requests without a route.',
    labelNames: ['method', 'route', 'status'],
    registers,
    collect() {
      requests.reset()
      for (const [route, byMethod] of responsesByRoute) {
        for (const [method, { byStatus }] of byMethod) {
          for (const [status, count] of byStatus) requests.inc({ method, route, status }, count)
        }
      }
    },
  })
  registerRequestTimes(registry, () =>
    [...responsesByRoute.values()].flatMap((byMethod) => [...byMethod.values()].map(({ times }) => times)),
  )
  const acceptedTasks: Counter = new Counter({
    name: 'framegate_tasks_accepted_total',
    help: 'Tasks accepted by this process.',
    labelNames: ['model'],
    registers,
    collect() {
      acceptedTasks.reset()
      for (const [model, count] of acceptedByModel) acceptedTasks.inc({ model }, count)
    },
  })
  const endedTasks = new Counter({
    name: 'framegate_tasks_ended_total',
    help: 'Tasks ended by this process. The label error is empty for completed tasks.',
    labelNames: ['model', 'status', 'error'],
    registers,
  })
  const chargedCredits = new Counter({
    name: 'framegate_credits_charged_total',
    help: 'Credits charged for tasks completed by this process.',
    labelNames: ['model'],
    registers,
  })
  const costCredits = new Counter({
    name: 'framegate_upstream_cost_credits_total',
    help: 'Known cost of upstream attempts in credits, calculated from the costs of their routes.',
    labelNames: ['model', 'route'],
    registers,
  })
  const attemptsOfUnknownCost = new Counter({
    name: 'framegate_upstream_cost_unknown_total',
    help: 'Upstream attempts ended by this process without a known cost.',
    labelNames: ['model', 'route'],
    registers,
  })
  const waitTimes = new Histogram({
    name: 'framegate_task_wait_seconds',
    help: 'Time from the acceptance of a task until its start.',
    labelNames: ['object'],
    buckets: bucketSeconds,
    registers,
  })
  const workTimes = new Histogram({
    name: 'framegate_task_processing_seconds',
    help: 'Time from the start of a task until its end.',
    labelNames: ['object', 'status'],
    buckets: bucketSeconds,
    registers,
  })
  const stepTimes = new Histogram({
    name: 'framegate_step_duration_seconds',
    help: 'Duration of the steps of tasks, by route.',
    labelNames: ['step', 'route'],
    buckets: bucketSeconds,
    registers,
  })
  const stepErrors = new Counter({
    name: 'framegate_step_faults_total',
    help: 'Failed steps of tasks, by route.',
    labelNames: ['step', 'route'],
    registers,
  })
  const exchanges = new Counter({
    name: 'framegate_upstream_requests_total',
    help:
      'Requests to upstreams by route and status; the status is "lost" if no response arrived. Polls shared by several tasks ' +
      'have no route.',
    labelNames: ['route', 'status'],
    registers,
  })
  const exchangeTimes = new Histogram({
    name: 'framegate_upstream_request_duration_seconds',
    help: 'Response time of upstreams, by route.',
    labelNames: ['route'],
    buckets: bucketSeconds,
    registers,
  })

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
    registry,
    requestCompleted({ method, route, status, elapsedMs, wasDelayedOnRequest }) {
      const { byStatus, times } = responsesOf(method, route ?? '')
      incrementCount(byStatus, status)
      if (!wasDelayedOnRequest) times.observe(elapsedMs)
    },
    taskAccepted(task) {
      incrementCount(acceptedByModel, task.model)
    },
    taskEnded({ id, model, object, status, errorCode, startedAtMs, endedAtMs, chargedMicroCredits }) {
      endedTasks.inc({ model, status, error: errorCode ?? '' })
      chargedCredits.inc({ model }, creditsOf(chargedMicroCredits ?? 0))
      if (startedAtMs === null || endedAtMs === null) return
      waitTimes.observe({ object }, Math.max(0, startedAtMs - createdAtMsOf(id)) / 1000)
      workTimes.observe({ object, status }, Math.max(0, endedAtMs - startedAtMs) / 1000)
    },
    attemptPaid({ model, route, microCredits }) {
      if (microCredits === null) attemptsOfUnknownCost.inc({ model, route })
      else costCredits.inc({ model, route }, creditsOf(microCredits))
    },
    stageEnded({ stage, route, startedAtMs, endedAtMs, error }) {
      stepTimes.observe({ step: stage, route }, Math.max(0, endedAtMs - startedAtMs) / 1000)
      if (error !== null) stepErrors.inc({ step: stage, route })
    },
    upstreamResponded({ status, startedAtMs, endedAtMs }) {
      const route = currentWork()?.routeName ?? ''
      exchanges.inc({ route, status: status ?? 'lost' })
      exchangeTimes.observe({ route }, Math.max(0, endedAtMs - startedAtMs) / 1000)
    },
  }
}

/** Counts for a method of a route. */
interface Responses {
  byStatus: Map<number, number>
  times: RequestTimeHistogram
}

function incrementCount<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
