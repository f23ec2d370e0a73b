import { onHoldMark } from '../../src/db/held-tasks.ts'
import { claimEmbedded } from '../../src/db/store-under-test.ts'
import type { HttpService } from '../http-service.ts'
import { plainPng } from '../plain-png.ts'

const image = { model: 'imgA-5.0', prompt: 'زورق ورقي 🛶 a paper boat' }
const video = 'vidK O3 Video Generation'

/**
 * Adds objects of every kind, so that no list of the console is empty: queued, completed and failed
 * tasks, an upstream out of service, an unresolved attempt, and a task on hold. Returns the paths
 * of the pages of an account and of three tasks.
 */
export async function addConsoleData(service: HttpService): Promise<string[]> {
  const send = async (method: string, path: string, body: object) => (await service.request(method, path, { body })).json
  const submit = async (body: object): Promise<string> => (await send('POST', '/v2/model-center/tasks', body)).id
  const completedId = await submit(image)
  const failedId = await submit(image)
  await service.startAll()
  await service.complete(completedId, { bytes: plainPng(64, 64) })
  await service.fail(failedId, { code: 'content_policy', message: 'The prompt was refused by the content rules.' })
  const unresolvedId = await submit(image)
  await loseResponse(service, unresolvedId)
  const { accountId } = await service.newAccount(25)
  await send('POST', '/admin/v1/brands', { name: 'Northern Lights', hosts: ['lights.example.com'] })
  const webhook = await send('POST', '/v2/webhooks', { url: 'https://hooks.example.com/' })
  await send('POST', `/v2/webhooks/${webhook.id}/test`, {})
  await send('POST', '/admin/v1/prices', { model: image.model, price: { unit: 'task', credits: { '*': 0.05 } } })
  await send('POST', '/admin/v1/models', {
    id: 'House Images',
    object: 'image',
    parameters: { prompt: {} },
    price: { per_image: 0.05 },
  })
  await send('PUT', '/admin/v1/upstreams/studio', { driver: 'fal', api_key: 'secret' })
  await send('PUT', '/admin/v1/routes/kite', {
    model: video,
    upstream: 'studio',
    upstream_model: 'a/b',
    cost: { per_second: 0.1 },
  })
  const waitingId = await submit({ model: video, prompt: 'a kite over dunes', seconds: 5 })
  await submit(image)
  await service.store.database
    .updateTable('tasks')
    .set({ held: 1, waits: onHoldMark })
    .where('status', '=', 'queued')
    .where('model', '=', image.model)
    .execute()
  const outOfService = { kind: 'pause', untilMs: Date.now() + 600_000, refusals: 3, condition: 'out_of_order' } as const
  await service.changePool('upstream', 'studio', outOfService)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(plainPng(8, 8))], { type: 'image/png' }), 'reference.png')
  await service.request('POST', '/v2/assets', { rawBody: form })
  service.logTail.add(JSON.stringify({ level: 40, time: Date.now(), msg: 'an attempt was refused', task: unresolvedId }))
  return [`accounts/${accountId}`, ...[completedId, failedId, waitingId].map((id) => `tasks/${id}`)]
}

/** Claims the task, and fails it as if the response to its start had been lost. */
async function loseResponse(service: HttpService, taskId: string): Promise<void> {
  const [claim] = await claimEmbedded(service.store, 1, 60_000, { route: 'main', snapshotNo: 3 })
  if (claim?.id !== taskId) throw new Error('the task was not claimed')
  await service.store.fail(claim, { code: 'lost_upstream', message: 'It is unknown.' }, { unresolved: 'lost_reply' })
}
