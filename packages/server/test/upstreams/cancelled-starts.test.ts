import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openaiDriver } from '../../src/drivers/openai/openai-driver.ts'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { openRestartableService, type RestartableService } from './restartable-service.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import type { Fault } from './simulator.ts'

let service: RestartableService
beforeEach(async () => {
  service = await openRestartableService(
    {
      driver: openaiDriver,
      protocol: openaiProtocol,
      basePath: '/v1',
      credential: openaiKey,
      target: { model: 'sora-2' },
    },
    { parameters: { prompt: 'a kite over dunes', seconds: 5 } },
  )
})
afterEach(() => service[Symbol.asyncDispose]())

/** Submits a task and cancels it before the response to its submit upstream. Returns its id. */
async function cancelDuringSubmit(fault: Fault | undefined): Promise<string> {
  let id = ''
  service.simulator.meanwhile('submit', () => service.store.cancel(id))
  if (fault !== undefined) service.simulator.next('submit', fault)
  id = await service.submit()
  expect(await service.endOf(id)).toMatchObject({ errorCode: 'cancelled' })
  return id
}

function attemptOf(id: string) {
  const attempts = service.store.database.selectFrom('task_attempts').select(['unresolved', 'closing', 'detail'])
  return attempts.where('task_no', '=', taskNoOf(id)).executeTakeFirst()
}

it('the attempt of a cancelled task stays unresolved if the connection broke during its submit', async () => {
  const id = await cancelDuringSubmit('reset_after')
  await vi.waitUntil(async () => (await attemptOf(id))?.unresolved === 'lost_reply', { timeout: 10_000 })
  expect(await attemptOf(id)).toMatchObject({ closing: null, detail: expect.stringContaining('connection broke') })
  expect(service.simulator.jobs).toHaveLength(1)
})

it.each([
  ['throttles it', { status: 429, json: { error: { code: 'rate_limit_exceeded' } } }],
  ['rejects the key', { status: 401, json: { error: { code: 'invalid_api_key' } } }],
  ['refuses its content', { status: 400, json: { error: { code: 'moderation_blocked' } } }],
])('the attempt of a cancelled task is closed as never started if its upstream %s', async (_what, fault) => {
  const id = await cancelDuringSubmit(fault)
  await vi.waitUntil(async () => (await attemptOf(id))?.closing === 'never_started', { timeout: 10_000 })
  expect(service.simulator.jobs).toHaveLength(0)
})

it('the attempt of a cancelled task is marked as late if the upstream accepts the submit after the cancellation', async () => {
  const id = await cancelDuringSubmit(undefined)
  await vi.waitUntil(async () => (await attemptOf(id))?.unresolved === 'late', { timeout: 10_000 })
  expect(service.simulator.jobs).toHaveLength(1)
})
