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

/** A task that is cancelled before the response to its submit. */
async function cancelDuring(fault: Fault | undefined): Promise<string> {
  let id = ''
  service.simulator.meanwhile('submit', () => service.store.cancel(id))
  if (fault !== undefined) service.simulator.next('submit', fault)
  id = await service.submit()
  expect(await service.endOf(id)).toMatchObject({ errorCode: 'cancelled' })
  return id
}

function attemptOf(id: string) {
  const attempts = service.store.query.selectFrom('task_attempts').select(['unresolved', 'closing', 'detail'])
  return attempts.where('task_no', '=', taskNoOf(id)).executeTakeFirst()
}

it('an attempt with an unanswered submit stays on the list of attempts', async () => {
  const id = await cancelDuring('reset_after')
  await vi.waitUntil(async () => (await attemptOf(id))?.unresolved === 'lost_reply', { timeout: 10_000 })
  expect(await attemptOf(id)).toMatchObject({ closing: null, detail: expect.stringContaining('connection broke') })
  expect(service.simulator.jobs).toHaveLength(1)
})

it.each([
  ['was busy', { status: 429, json: { error: { code: 'rate_limit_exceeded' } } }],
  ['was out of order', { status: 401, json: { error: { code: 'invalid_api_key' } } }],
  ['refused its content', { status: 400, json: { error: { code: 'moderation_blocked' } } }],
])('an attempt leaves the list of attempts when its upstream %s', async (_what, fault) => {
  const id = await cancelDuring(fault)
  await vi.waitUntil(async () => (await attemptOf(id))?.closing === 'never_started', { timeout: 10_000 })
  expect(service.simulator.jobs).toHaveLength(0)
})

it('an attempt that was accepted after its task was cancelled is polled', async () => {
  const id = await cancelDuring(undefined)
  await vi.waitUntil(async () => (await attemptOf(id))?.unresolved === 'late', { timeout: 10_000 })
  expect(service.simulator.jobs).toHaveLength(1)
})
