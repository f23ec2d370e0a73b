import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { openRestartableService, type RestartableService } from './restartable-service.ts'
import type { RequestSpec, DriverSpec } from './driver-spec.ts'

/**
 * Race tests of every driver: key rotation and cancellation while a task runs. A cancelled task
 * must leave no stored file, and a job that may cost money must remain visible to the operator.
 */
export function describeRaces(spec: DriverSpec, requestSpec: RequestSpec): void {
  describe('a driver with a running task', () => {
    let service: RestartableService
    beforeEach(async () => {
      service = await openRestartableService(spec, requestSpec)
    })
    afterEach(() => service[Symbol.asyncDispose]())

    function attemptOf(id: string) {
      const attempts = service.store.database.selectFrom('task_attempts').selectAll()
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

    it.each(['poll', 'result'] as const)(
      'a task that is cancelled while a %s reports success ends as cancelled, and its attempt is marked as late',
      async (stage) => {
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
        // An operator must review the result, because the provider may charge for it.
        await vi.waitUntil(async () => (await attemptOf(id))?.unresolved === 'late', { timeout: 30_000, interval: 10 })
        await expect.poll(() => service.storedFiles()).toEqual([])
        expect([simulator.jobs.length, simulator.of('submit').length]).toEqual([1, 1])
      },
    )

    it('a cancellation of a task that has just completed leaves it completed', async () => {
      const cancellations: Promise<boolean>[] = []
      service.store.onTaskChanged((task) => {
        if (task.endedAtMs !== null) cancellations.push(service.store.cancel(task.id))
      })
      const id = await service.submit()
      expect(await service.endOf(id)).toMatchObject({ status: 'completed', chargedMicroCredits: 1 })
      expect(await Promise.all(cancellations)).toEqual([false])
      expect(service.storedFiles()).toHaveLength(1)
    })
  })
}
