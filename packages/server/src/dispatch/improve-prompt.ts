import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { textBytesMax, type Simulation } from '@framegate/contract'
import type { GenerationParameters } from '../catalogue/generation-parameters.ts'
import type { Improvement } from '../db/task-queries.ts'
import type { AttemptCost } from '../db/task-queue.ts'
import { NotAccepted, type GenerationRequest } from '../drivers/driver.ts'
import { limitBytes } from '../lib/limit-bytes.ts'
import { messageOf } from '../lib/message-of.ts'
import { readText } from '../media/probe-text.ts'
import { costOfJob } from '../routing/route-cost.ts'
import type { Route } from '../routing/route.ts'
import { improvingModel } from '../tasks/improvement-price.ts'
import type { ModelFacts } from './model-facts.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskDependencies } from './task-dependencies.ts'

/** Time limit for all requests to providers together. A route may have a shorter deadline. */
const improveMsMax = 60_000
const pollIntervalMs = 500

/** The parts of a task that the improvement of its prompt needs. */
export interface PromptTask {
  parameters: GenerationParameters
  facts: ModelFacts
  simulate: Simulation | null
}

/**
 * Improves the prompt of a task before its first attempt is sent, and records the outcome. An error
 * never fails the task: the result is then generated from the prompt of the request.
 *
 *   embedded         this process writes the text. After a restart, it writes the same text again
 *   a provider       `begun` is committed, the request is sent, its outcome is committed. If the
 *                    recorded outcome of a task is still `begun`, the response was lost, and the
 *                    request is not repeated
 *
 * Routes are tried in the order of their priority until one accepts the request. After a failed
 * request that the provider may have accepted, no other route is tried. Paused routes are skipped.
 * The request is not an attempt, so it does not occupy a slot of its route. The task occupies the
 * slot of its attempt in the meantime, which limits the number of such requests.
 *
 * Returns the prompt for the generation. Returns null if the work was stopped, the task has ended
 * or its lease was lost.
 */
export async function improvePrompt(
  running: RunningTask,
  task: PromptTask,
  dependencies: TaskDependencies,
): Promise<string | null> {
  const { prompt = '' } = task.parameters
  const earlierImprovement = (await dependencies.store.find(running.taskId))?.improvement
  if (earlierImprovement?.outcome === 'improved') return earlierImprovement.prompt
  if (earlierImprovement?.outcome === 'failed') return prompt
  const improvement = earlierImprovement === undefined ? await tryToImprove(running, task, dependencies) : failedImprovement
  if (improvement === null || running.stopReason !== null) return null
  if (!(await dependencies.store.recordImprovement(running.claim, improvement))) return null
  return improvement.outcome === 'improved' ? improvement.prompt : prompt
}

const failedImprovement: Improvement = { outcome: 'failed' }

/** Returns null if the work was stopped, the task has ended or its lease was lost. */
async function tryToImprove(running: RunningTask, task: PromptTask, dependencies: TaskDependencies): Promise<Improvement | null> {
  const deadlineSignal = AbortSignal.any([running.signal, AbortSignal.timeout(improveMsMax)])
  for (const route of task.simulate === null ? dependencies.routes.byPriority(improvingModel) : [null]) {
    try {
      const isProvider = route !== null && route.slots.pool !== null
      if (isProvider && !(await dependencies.store.recordImprovement(running.claim, { outcome: 'begun' }))) return null
      const deadlineMs = route?.settings.deadlineMs ?? improveMsMax
      const signal = AbortSignal.any([deadlineSignal, AbortSignal.timeout(deadlineMs)])
      const { text, paid } = await requestText(running, task, { route, signal }, dependencies)
      if (isUsable(text, running, task, dependencies)) return { outcome: 'improved', prompt: text, paid }
      dependencies.logger.warn(
        { task: running.taskId },
        'an improved prompt is longer than its model or route allows, and is not used',
      )
      return failedImprovement
    } catch (error) {
      if (running.stopReason !== null) return null
      dependencies.logger.warn({ task: running.taskId, reason: messageOf(error) }, 'a prompt could not be improved')
      // After any other error the provider may have charged for the request.
      if (!(error instanceof NotAccepted)) return failedImprovement
      if (route !== null) await dependencies.routes.health.recordRouteRefused(route, error)
    }
  }
  return failedImprovement
}

function isUsable(
  prompt: string,
  running: RunningTask,
  { parameters, facts }: PromptTask,
  { routes }: Pick<TaskDependencies, 'routes'>,
): boolean {
  const { model, object } = running.claim.task
  if (Array.from(prompt).length > facts.promptCharactersMax) return false
  const improvedParameters = { ...parameters, prompt }
  return routes.accepts(running.attempt.snapshotNo, {
    model,
    object,
    size: facts.size(improvedParameters),
    parameters: improvedParameters,
  })
}

/** `route` is null for the embedded driver. */
async function requestText(
  running: RunningTask,
  { parameters }: PromptTask,
  { route, signal }: { route: Route | null; signal: AbortSignal },
  { routes }: Pick<TaskDependencies, 'routes'>,
): Promise<{ text: string; paid: number | null }> {
  const snapshotNo = route?.settings.snapshotNo ?? 0
  const connection = routes.connection(snapshotNo) ?? (await routes.connect(snapshotNo))
  if (connection === undefined) throw new Error('the route can no longer be used')
  const { driver } = connection
  const isVideo = running.claim.task.object === 'video'
  const request: GenerationRequest = {
    attemptId: `${running.attemptId}-prompt`,
    model: improvingModel,
    object: 'text',
    size: { width: 0, height: 0 },
    parameters: { prompt: parameters.prompt ?? '', for: isVideo ? 'video' : 'image' },
    simulate: null,
  }
  const operation = await driver.start(request, { signal, beforeSubmit: () => Promise.resolve() })
  try {
    for (;;) {
      const outcome = await driver.poll(operation, request, signal)
      if (outcome.state === 'failed') throw new Error(outcome.detail ?? outcome.reason)
      if (outcome.state === 'succeeded') {
        const output = await driver.fetchOutput(outcome.outputs[0], signal)
        // An error on either stream destroys both.
        const text = readText(await buffer(pipeline(output, limitBytes(textBytesMax), () => {})))
          .replaceAll(/\s+/g, ' ')
          .trim()
        const reportedCost: AttemptCost | null = outcome.cost ?? null
        return {
          text,
          paid:
            route === null
              ? 0
              : costOfJob(connection.cost, { object: 'text', results: 1, seconds: null, reported: reportedCost }),
        }
      }
      await sleep(pollIntervalMs, undefined, { signal })
    }
  } finally {
    await driver.discard?.(operation, request)
  }
}
