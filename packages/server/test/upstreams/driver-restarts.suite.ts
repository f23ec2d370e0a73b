import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openRestartableService, type RestartableService } from './restartable-service.ts'
import type { RequestSpec, DriverSpec } from './driver-spec.ts'
import type { Stage } from './simulator.ts'

/**
 * Crash tests of every driver: after a kill at any stage of a task, the upstream has at most one
 * job for it.
 */
export function describeRestarts(spec: DriverSpec, requestSpec: RequestSpec): void {
  describe('a driver over kill -9', () => {
    let service: RestartableService
    beforeEach(async () => {
      service = await openRestartableService(spec, requestSpec)
    })
    afterEach(() => service[Symbol.asyncDispose]())

    async function killDuring(stage: Stage): Promise<void> {
      await vi.waitUntil(() => service.simulator.of(stage).length > 0, { timeout: 30_000, interval: 10 })
      await service.killAndRestart()
    }

    it('a task whose submit was accepted without a response has exactly one job after kill -9', async () => {
      const { simulator } = service
      simulator.next('submit', 'silence_after')
      const id = await service.submit()
      await killDuring('submit')
      const task = await service.endOf(id)
      if (spec.findsLostJobs === false) expect(task).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
      else expect(task).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(1)
    })

    it('a task whose submit was not accepted and got no response has at most one job after kill -9', async () => {
      const { simulator } = service
      simulator.next('submit', 'silence_before')
      const id = await service.submit()
      await killDuring('submit')
      const task = await service.endOf(id)
      if (spec.findsLostJobs === false) expect(task).toMatchObject({ status: 'failed', errorCode: 'lost_upstream' })
      else expect(task).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(spec.findsLostJobs === false ? 0 : 1)
    })

    it.each(['poll', 'result'] as const)(
      'a task whose %s request has no response at kill -9 completes with its one job',
      async (stage) => {
        if (stage === 'result' && spec.resultsComeInPolls) return
        const { simulator } = service
        simulator.next(stage, 'silence_before')
        const id = await service.submit()
        await killDuring(stage)
        expect(await service.endOf(id)).toMatchObject({ status: 'completed' })
        expect([simulator.jobs.length, simulator.of('submit').length]).toEqual([1, 1])
      },
    )
  })
}
