import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { openRestartableService, type RestartableService } from './restartable-service.ts'
import type { RequestSpec, DriverSpec } from './driver-spec.ts'

/**
 * Races of every driver: changes while a task runs must not affect its outcome, and nothing may be
 * paid for or stored without an owner.
 */
export function describeRaces(spec: DriverSpec, requestBody: RequestSpec): void {
  describe('a driver with a running task', () => {
    let service: RestartableService
    beforeEach(async () => {
      service = await openRestartableService(spec, requestBody)
    })
    afterEach(() => service[Symbol.asyncDispose]())

    function attemptOf(id: string) {
      const attempts = service.store.query.selectFrom('task_attempts').selectAll()
      return attempts.where('task_no', '=', taskNoOf(id)).executeTakeFirst()
    }

    it('a running task keeps the key of its start when the key is rotated, and other tasks use the new one', async () => {
      const { simulator } = service
      simulator.moves = ['running']
      const id = await service.submit()
      await vi.waitUntil(() => simulator.of('poll').length > 0, { timeout: 30_000, interval: 10 })
      await service.rotateKey()
      const otherId = await service.submit()
      await vi.waitUntil(async () => (await attemptOf(otherId))?.ended_at != null, { timeout: 30_000, interval: 10 })
      await service.killAndRestart()
      for (const job of simulator.jobs) job.moves = ['succeeded']
      expect(await service.endOf(id)).toMatchObject({ status: 'completed' })
      expect(simulator.jobs).toHaveLength(1)
    })

    it.each(['poll', 'result'] as const)('a running task is cancelled while a %s reports its success', async (stage) => {
      if (stage === 'result' && spec.resultsComeInPolls) return
      const { simulator } = service
      let id = ''
      let wasCancelled = false
      simulator.meanwhile(stage, async () => {
        wasCancelled = await service.store.cancel(id)
      })
      id = await service.submit()
      expect(await service.endOf(id)).toMatchObject({ status: 'failed', errorCode: 'cancelled', chargedMicroCredits: 0 })
      expect(wasCancelled).toBe(true)
      // A result that was generated, and may have to be paid for, must be reviewed by the operator.
      await vi.waitUntil(async () => (await attemptOf(id))?.unresolved === 'late', { timeout: 30_000, interval: 10 })
      await expect.poll(() => service.keptFiles()).toEqual([])
      expect([simulator.jobs.length, simulator.of('submit').length]).toEqual([1, 1])
    })

    it('a cancellation of a task that has just completed leaves it completed', async () => {
      const cancelled: Promise<boolean>[] = []
      service.store.onTaskChanged((task) => {
        if (task.endedAtMs !== null) cancelled.push(service.store.cancel(task.id))
      })
      const id = await service.submit()
      expect(await service.endOf(id)).toMatchObject({ status: 'completed', chargedMicroCredits: 1 })
      expect(await Promise.all(cancelled)).toEqual([false])
      expect(service.keptFiles()).toHaveLength(1)
    })
  })
}
