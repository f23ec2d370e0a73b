import { Counter, Histogram, type Registry } from 'prom-client'
import { creditsOf } from '../credits/micro-credits.ts'
import { currentWork } from '../identity/current-work.ts'
import { addCopiedCounter, incrementCount } from './copied-counter.ts'
import { durationBuckets } from './duration-buckets.ts'
import type { Telemetry } from './telemetry.ts'

/** Adds the metrics of attempts: their stages, costs and requests to upstreams. */
export function addAttemptMetrics(registry: Registry): Pick<Telemetry, 'attemptPaid' | 'stageEnded' | 'upstreamResponded'> {
  const registers = [registry]
  // Sums in micro-credits, because a sum of credits would have rounding errors.
  const costByModel = new Map<string, Map<string, number>>()
  addCopiedCounter(
    registry,
    {
      name: 'framegate_upstream_cost_credits_total',
      help: 'Known cost of upstream attempts in credits, calculated from the costs of their routes.',
      labelNames: ['model', 'route'],
    },
    (costCredits) => {
      for (const [model, byRoute] of costByModel) {
        for (const [route, microCredits] of byRoute) costCredits.inc({ model, route }, creditsOf(microCredits))
      }
    },
  )
  const attemptsOfUnknownCost = new Counter({
    name: 'framegate_upstream_cost_unknown_total',
    help: 'Upstream attempts ended by this process without a known cost.',
    labelNames: ['model', 'route'],
    registers,
  })
  const stepTimes = new Histogram({
    name: 'framegate_step_duration_seconds',
    help: 'Duration of the steps of tasks, by route.',
    labelNames: ['step', 'route'],
    buckets: durationBuckets,
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
    buckets: durationBuckets,
    registers,
  })
  return {
    attemptPaid({ model, route, microCredits }) {
      if (microCredits === null) return attemptsOfUnknownCost.inc({ model, route })
      const costByRoute = costByModel.get(model) ?? new Map<string, number>()
      costByModel.set(model, costByRoute)
      incrementCount(costByRoute, route, microCredits)
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
