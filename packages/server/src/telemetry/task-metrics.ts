import { Counter, Histogram, type Registry } from 'prom-client'
import { creditsOf } from '../credits/micro-credits.ts'
import { createdAtMsOf } from '../identity/task-id.ts'
import { addCopiedCounter, incrementCount } from './copied-counter.ts'
import { durationBuckets } from './duration-buckets.ts'
import type { Telemetry } from './telemetry.ts'

/** Adds the metrics of the tasks that this process accepts and ends. */
export function addTaskMetrics(registry: Registry): Pick<Telemetry, 'taskAccepted' | 'taskEnded'> {
  const registers = [registry]
  const acceptedByModel = new Map<string, number>()
  // Sums in micro-credits, because a sum of credits would have rounding errors.
  const chargedByModel = new Map<string, number>()
  addCopiedCounter(
    registry,
    { name: 'framegate_tasks_accepted_total', help: 'Tasks accepted by this process.', labelNames: ['model'] },
    (acceptedTasks) => {
      for (const [model, count] of acceptedByModel) acceptedTasks.inc({ model }, count)
    },
  )
  const endedTasks = new Counter({
    name: 'framegate_tasks_ended_total',
    help: 'Tasks ended by this process. The label error is empty for completed tasks.',
    labelNames: ['model', 'status', 'error'],
    registers,
  })
  addCopiedCounter(
    registry,
    {
      name: 'framegate_credits_charged_total',
      help: 'Credits charged for tasks completed by this process.',
      labelNames: ['model'],
    },
    (chargedCredits) => {
      for (const [model, microCredits] of chargedByModel) chargedCredits.inc({ model }, creditsOf(microCredits))
    },
  )
  const waitTimes = new Histogram({
    name: 'framegate_task_wait_seconds',
    help: 'Time from the acceptance of a task until its start.',
    labelNames: ['object'],
    buckets: durationBuckets,
    registers,
  })
  const workTimes = new Histogram({
    name: 'framegate_task_processing_seconds',
    help: 'Time from the start of a task until its end.',
    labelNames: ['object', 'status'],
    buckets: durationBuckets,
    registers,
  })
  return {
    taskAccepted(task) {
      incrementCount(acceptedByModel, task.model)
    },
    taskEnded({ id, model, object, status, errorCode, startedAtMs, endedAtMs, chargedMicroCredits }) {
      endedTasks.inc({ model, status, error: errorCode ?? '' })
      incrementCount(chargedByModel, model, chargedMicroCredits ?? 0)
      if (startedAtMs === null || endedAtMs === null) return
      waitTimes.observe({ object }, Math.max(0, startedAtMs - createdAtMsOf(id)) / 1000)
      workTimes.observe({ object, status }, Math.max(0, endedAtMs - startedAtMs) / 1000)
    },
  }
}
