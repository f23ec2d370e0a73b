import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { currentWork } from '../lib/current-work.ts'
import { createdAtMsOf } from '../lib/task-id.ts'
import type { Telemetry } from './telemetry.ts'

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const workSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]

/** What this process counts as it happens, for Prometheus; `addStateMetrics` adds what is read when it is asked for. */
export interface Metrics extends Telemetry {
  readonly registry: Registry
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'framegate_http_requests_total',
    help: 'HTTP requests answered, by route; those without a route have none.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestTimes = new Histogram({
    name: 'framegate_http_request_duration_seconds',
    help: 'How long HTTP requests took, except those that had asked to wait.',
    labelNames: ['method', 'route'],
    buckets: requestSeconds,
    registers,
  })
  const accepted = new Counter({
    name: 'framegate_tasks_accepted_total',
    help: 'Tasks accepted by this process.',
    labelNames: ['model'],
    registers,
  })
  const ended = new Counter({
    name: 'framegate_tasks_ended_total',
    help: 'Tasks ended by this process; error is empty for completed ones.',
    labelNames: ['model', 'status', 'error'],
    registers,
  })
  const waitTimes = new Histogram({
    name: 'framegate_task_wait_seconds',
    help: 'From the acceptance of a task until it was started.',
    labelNames: ['object'],
    buckets: workSeconds,
    registers,
  })
  const workTimes = new Histogram({
    name: 'framegate_task_processing_seconds',
    help: 'From the start of a task until its end.',
    labelNames: ['object', 'status'],
    buckets: workSeconds,
    registers,
  })
  const stepTimes = new Histogram({
    name: 'framegate_step_duration_seconds',
    help: 'How long the steps of tasks took, by route.',
    labelNames: ['step', 'route'],
    buckets: workSeconds,
    registers,
  })
  const stepFaults = new Counter({
    name: 'framegate_step_faults_total',
    help: 'Steps that came to nothing, by route.',
    labelNames: ['step', 'route'],
    registers,
  })
  const exchanges = new Counter({
    name: 'framegate_upstream_requests_total',
    help: 'Requests to upstreams, by route and status; "lost" where no answer came. Polls that many tasks share have no route.',
    labelNames: ['route', 'status'],
    registers,
  })
  const exchangeTimes = new Histogram({
    name: 'framegate_upstream_request_duration_seconds',
    help: 'How long upstreams took to answer, by route.',
    labelNames: ['route'],
    buckets: workSeconds,
    registers,
  })
  const countRequest = childOf((method: string, route: string, status: string) => requests.labels(method, route, status))
  const timeRequest = childOf((method: string, route: string) => requestTimes.labels(method, route))
  const countAccepted = childOf((model: string) => accepted.labels(model))

  return {
    registry,
    requestAnswered({ method, route, status, elapsedMs, wasHeld }) {
      const name = route ?? ''
      countRequest(method, name, String(status)).inc()
      if (!wasHeld) timeRequest(method, name).observe(elapsedMs / 1000)
    },
    taskAccepted(task) {
      countAccepted(task.model).inc()
    },
    taskEnded({ id, model, object, status, errorCode, startedAtMs, endedAtMs }) {
      ended.inc({ model, status, error: errorCode ?? '' })
      if (startedAtMs === null || endedAtMs === null) return
      waitTimes.observe({ object }, Math.max(0, startedAtMs - createdAtMsOf(id)) / 1000)
      workTimes.observe({ object, status }, Math.max(0, endedAtMs - startedAtMs) / 1000)
    },
    stepTaken({ step, route, startedAtMs, endedAtMs, fault }) {
      stepTimes.observe({ step, route }, Math.max(0, endedAtMs - startedAtMs) / 1000)
      if (fault !== null) stepFaults.inc({ step, route })
    },
    upstreamAnswered({ status, startedAtMs, endedAtMs }) {
      const route = currentWork()?.routeName ?? ''
      exchanges.inc({ route, status: status ?? 'lost' })
      exchangeTimes.observe({ route }, Math.max(0, endedAtMs - startedAtMs) / 1000)
    },
  }
}

/** Looking up labels costs more than counting, and requests are many; their labels are few. */
function childOf<Labels extends string[], Child>(find: (...labels: Labels) => Child): (...labels: Labels) => Child {
  const found = new Map<string, Child>()
  return (...labels) => {
    const name = labels.join(' ')
    const child = found.get(name) ?? find(...labels)
    found.set(name, child)
    return child
  }
}
