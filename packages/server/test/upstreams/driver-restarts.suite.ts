import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDriverLives, type DriverLives } from './driver-lives.ts'
import type { Ask, DriverTrial } from './driver-trial.ts'
import type { Stage } from './simulator.ts'

/**
 * The upstream has exactly one job per task, however often and wherever in a task the service is
 * killed.
 */
export function describeRestarts(trial: DriverTrial, ask: Ask): void {
  describe('a driver over kill -9', () => {
    let lives: DriverLives
    beforeEach(async () => {
      lives = await openDriverLives(trial, ask)
    })
    afterEach(() => lives[Symbol.asyncDispose]())

    async function killAt(stage: Stage): Promise<void> {
      await vi.waitUntil(() => lives.simulator.of(stage).length > 0, { timeout: 30_000, interval: 10 })
      await lives.killAndGoOn()
    }

    it('an unanswered submit that was accepted leads to exactly one job after kill -9', async () => {
      const { simulator } = lives
      simulator.next('submit', 'silence_after')
      const id = await lives.submit()
      await killAt('submit')
      const task = await lives.endOf(id)
      if (trial.finds === false) expect(task).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
      else expect(task).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(1)
    })

    it('an unanswered submit that was not accepted leads to at most one job after kill -9', async () => {
      const { simulator } = lives
      simulator.next('submit', 'silence_before')
      const id = await lives.submit()
      await killAt('submit')
      const task = await lives.endOf(id)
      if (trial.finds === false) expect(task).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
      else expect(task).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(trial.finds === false ? 0 : 1)
    })

    it.each(['poll', 'result'] as const)('a task whose %s is unanswered at kill -9 completes from its one job', async (stage) => {
      if (stage === 'result' && trial.resultsComeInPolls) return
      const { simulator } = lives
      simulator.next(stage, 'silence_before')
      const id = await lives.submit()
      await killAt(stage)
      expect(await lives.endOf(id)).toMatchObject({ status: 'completed' })
      expect([simulator.jobs.length, simulator.of('submit').length]).toEqual([1, 1])
    })
  })
}
