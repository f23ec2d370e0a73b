import { TaskSchema } from '@framegate/contract/schemas'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'
import { schemaViolations } from './schema-violations.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const modelsByFamily = { vidB: 'vidB_2_0', vidC: 'vidC2Stable', vidD: 'vidDq3-turbo', vidG: 'vidG_video3' } as const

it('tasks for vidC models are created and queried at the v1 path of vidC', async () => {
  const parameters = { prompt: 'A train', aspect_ratio: '9:16', seconds: 15 }
  const body = { model: 'vidC2Stable', ...parameters }
  const created = await service.request('POST', '/v1/vidC/videos', { body })
  expect(created.status).toBe(202)
  expect(created.headers.get('location')).toBe(`/api/v1/vidC/videos/${created.json.id}`)
  expect(created.headers.get('retry-after')).toBe('5')
  const queried = await service.request('GET', `/v1/vidC/videos/${created.json.id}`)
  expect(queried.json).toEqual({
    id: created.json.id,
    object: 'video',
    created: created.json.created,
    model: 'vidC2Stable',
    status: 'queued',
    progress: 0,
    amount: expect.any(Number),
    actualDuration: null,
    error: null,
    seconds: 15,
    parameters: { ...parameters, resolution: '720p', watermark: false },
  })
  expect(schemaViolations(TaskSchema, queried.json)).toEqual([])
  await service.startAll()
  await service.complete(created.json.id, { durationMs: 15_000 })
  const endedVideo = (await service.request('GET', `/v1/vidC/videos/${created.json.id}`)).json
  expect(endedVideo).toMatchObject({ status: 'completed', seconds: 15, actualDuration: 15, video_url: endedVideo.result_url })
})

it.each(Object.entries(modelsByFamily))(
  'the v1 path of %s accepts tasks and fills in the default seconds',
  async (family, model) => {
    const created = await service.request('POST', `/v1/${family}/videos`, { body: { model, prompt: 'x' } })
    expect(created.status).toBe(202)
    expect(created.json.seconds).toBeTypeOf('number')
  },
)

it('the v1 path for veo models accepts tasks', async () => {
  const models = (await service.request('GET', '/v2/model-center/models?limit=100')).json.items
  const veo = models.find((model: { family: string }) => model.family === 'veo')
  const created = await service.request('POST', '/v1/veo/videos', { body: { model: veo.id, prompt: 'x' } })
  expect(created.status).toBe(202)
})

it('tasks of v1 can be queried with v2, and tasks of v2 with v1', async () => {
  const v1 = await service.request('POST', '/v1/vidG/videos', { body: { model: 'vidG_video3', prompt: 'x', seconds: 6 } })
  const { seconds: _seconds, ...plain } = v1.json
  const parameters = { prompt: 'x', aspect_ratio: '16:9', resolution: '720p', watermark: false }
  expect((await service.request('GET', `/v2/model-center/tasks/${v1.json.id}`)).json).toEqual({
    ...plain,
    parameters: { ...parameters, seconds: 6 },
  })
  const v2 = await service.request('POST', '/v2/model-center/tasks', { body: { model: 'vidG_video3', prompt: 'x', seconds: 9 } })
  expect((await service.request('GET', `/v1/vidG/videos/${v2.json.id}`)).json).toEqual({
    ...v2.json,
    seconds: 9,
    parameters: { ...parameters, seconds: 9 },
  })
})

it('a v1 path rejects a model of another family and names the path of that family, and an unknown family gets 404', async () => {
  const response = await service.request('POST', '/v1/vidC/videos', { body: { model: 'vidG_video3', prompt: 'x' } })
  expect([response.status, response.json.error.code, response.json.error.param]).toEqual([400, 'model_not_in_family', 'model'])
  expect(response.json.error.message).toContain('/v1/vidG/videos')
  const unknown = await service.request('POST', '/v1/vidX/videos', { body: { model: 'vidG_video3', prompt: 'x' } })
  expect([unknown.status, unknown.json.error.code]).toEqual([404, 'route_not_found'])
})
