import { completeTask, failTask } from './end-task.ts'
import { messageOf } from '../lib/message-of.ts'
import { UnusableResult } from './collect-result.ts'
import type { AttemptEnd } from './run-attempt.ts'
import { costOfJob } from '../routing/route-cost.ts'
import { runStage } from './run-stage.ts'
import type { TaskAtWork, TaskTools } from './task-tools.ts'

const triesMax = 3
const tryAgainMs = 1_000
const storeWaitMsMax = 30_000

type Succeeded = Extract<AttemptEnd, { kind: 'succeeded' }>

/**
 * Collects the result, then completes and charges the task in one commit.
 *
 * A file that is broken, cut short or of the wrong type is fetched again, from the address that the
 * upstream then reports. After the last try the task fails uncharged, and the operator's list shows
 * what the upstream was paid for it. A media store, disk or database that is full or out of order
 * does not make the result worse, so the task waits for it until its deadline.
 */
export async function finishAttempt(
  { output, operation, usage }: Succeeded,
  { running, request, facts, connection }: TaskAtWork,
  tools: TaskTools,
): Promise<'done' | 'stopped'> {
  const { collector, clock, logger } = tools
  const { claim, attemptId, signal } = running
  const { driver } = connection
  let lastError = ''
  let where = output
  let [failed, waited] = [0, 0]
  while (failed < triesMax) {
    try {
      running.mayBeStored = true
      running.isCollecting = true
      const retentionSeconds = request.simulate?.retention_seconds
      const toCollect = {
        taskId: claim.id,
        attemptId,
        object: request.object,
        driver,
        output: where,
        nowMs: clock(),
        watermarkDesign: request.watermarkDesign,
        retentionMs: retentionSeconds === undefined ? undefined : retentionSeconds * 1000,
        signal,
      }
      const result = await runStage('collect', running, tools, () => collector.collect(toCollect))
      const seconds = result.durationMs === null ? null : result.durationMs / 1000
      const charge = Math.min(facts.charge(request.parameters, seconds, claim.task.priceNo), claim.task.priceMicroCredits)
      const paidMicroCredits = costOfJob(connection.cost, { object: request.object, seconds, reported: usage })
      await completeTask(running, tools, { result, charge, cost: usage, paidMicroCredits })
      await driver.forget?.(operation, request)
      return 'done'
    } catch (error) {
      if (running.stopReason !== null) return 'stopped'
      logger.error({ err: error }, 'a result could not be collected')
      lastError = messageOf(error)
      const isUnusable = error instanceof UnusableResult
      if (!isUnusable) waited++
      else if (++failed === triesMax) break
      await running.pause(isUnusable ? tryAgainMs * failed : Math.min(storeWaitMsMax, tryAgainMs * 2 ** (waited - 1)))
      // The address may have expired; a poll gives a new one.
      const again = await driver.poll(operation, request, signal).catch(() => undefined)
      if (again?.state === 'succeeded') where = again.outputs[0]
    }
  }
  const unresolved = driver.isStartIdempotent ? null : 'unusable_result'
  const asked = { object: request.object, seconds: request.parameters.seconds ?? null, reported: usage }
  const paidMicroCredits = costOfJob(connection.cost, asked)
  const note = { detail: lastError.slice(0, 500), cost: usage, unresolved, paidMicroCredits } as const
  await failTask(running, tools, { code: 'upstream_failed', message: 'The result could not be stored.' }, note)
  return 'done'
}
