import { collectDefaultMetrics, Registry } from 'prom-client'
import { addAttemptMetrics } from './attempt-metrics.ts'
import { addRequestMetrics } from './request-metrics.ts'
import { addTaskMetrics } from './task-metrics.ts'
import type { Telemetry } from './telemetry.ts'

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
 * Creates the metrics of a thread. With `ofProcess`, they include the metrics of the process, such
 * as its memory. Only the main thread exports these.
 */
export function createMetrics({ ofProcess = true } = {}): Metrics {
  const registry = ofProcess ? Registry.merge([findOrCreateProcessRegistry()]) : new Registry()
  return { registry, ...addRequestMetrics(registry), ...addTaskMetrics(registry), ...addAttemptMetrics(registry) }
}
