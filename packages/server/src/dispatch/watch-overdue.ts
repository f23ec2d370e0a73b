import type { GenerationParameters, Job, Operation } from '../drivers/driver.ts'
import { attemptIdOf } from '../lib/attempt-id.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Routes } from '../routing/routes.ts'
import type { ModelFacts } from './model-facts.ts'
import type { OverdueAttempt, UnresolvedAttempts } from './unresolved-attempts.ts'

const lookEveryMs = 15_000
const lookedAtMax = 200
/** Upstreams forget jobs after a day or so. */
const followedMs = 24 * 60 * 60 * 1000
/** A start that has not been answered after so long never will be. */
const startMsMax = 15 * 60_000

export interface OverdueWatchOptions {
  unresolved: UnresolvedAttempts
  routes: Pick<Routes, 'routeOf' | 'revive'>
  modelFacts(modelId: string): ModelFacts | undefined
  clock: Clock
  logger: Logger
  everyMs?: number
}

/**
 * Follows what goes on upstream although its task has ended, by deadline or by cancel: cancels it there, and finds out whether it was
 * completed all the same, and for how much, which then stands on the operator's list.
 */
export function watchOverdue(options: OverdueWatchOptions): AsyncDisposable {
  const { unresolved, routes, clock, logger, everyMs = lookEveryMs } = options
  const stopping = new AbortController()
  const cancelled = new Set<string>()
  let looking: Promise<void> | null = null
  let after: OverdueAttempt | null = null

  async function look(): Promise<void> {
    const attempts = await unresolved.overdue(lookedAtMax, after)
    after = attempts.length === lookedAtMax ? (attempts.at(-1) ?? null) : null
    for (const attempt of attempts) {
      if (stopping.signal.aborted) return
      await follow(attempt).catch((error: unknown) =>
        logger.warn({ err: error, task: attempt.taskId }, 'an attempt that goes on upstream could not be asked after'),
      )
    }
  }

  async function follow(attempt: OverdueAttempt): Promise<void> {
    const { taskId, number, frozenNo, operation, model, endedAtMs } = attempt
    const facts = options.modelFacts(model)
    if (operation === null) {
      if (clock() - endedAtMs > startMsMax) await unresolved.close(taskId, number, 'never_started')
      return
    }
    const route = routes.routeOf(model, frozenNo) ?? (await routes.revive(frozenNo))
    if (route === undefined || facts === undefined) return
    const { driver } = route
    const job = jobOf(attempt, facts)
    const handle = JSON.parse(operation) as Operation
    if (!cancelled.has(job.attemptId)) {
      cancelled.add(job.attemptId)
      await driver.cancel?.(handle, job)
    }
    const outcome = await driver.poll(handle, job, stopping.signal)
    if (outcome.state === 'succeeded') await unresolved.cameLate(taskId, number, outcome.usage ?? null)
    else if (outcome.state === 'failed') await unresolved.close(taskId, number, 'ended_without_result')
    else if (clock() - endedAtMs > followedMs) await unresolved.close(taskId, number, 'still_running')
    else return
    cancelled.delete(job.attemptId)
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => logger.error({ err: error }, 'attempts that go on upstream could not be looked for'))
      .finally(() => {
        looking = null
      })
  }, everyMs)

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort(new Error('the service closes'))
      await looking
    },
  }
}

function jobOf({ taskId, number, model, object, parameters }: OverdueAttempt, facts: ModelFacts): Job {
  const read = JSON.parse(parameters) as GenerationParameters
  return { attemptId: attemptIdOf(taskId, number), model, object, size: facts.size(read), parameters: read, simulate: null }
}
