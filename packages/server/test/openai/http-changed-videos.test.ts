import { truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../src/lib/app-error.ts'
import { openHttpService, type HttpService } from '../http-service.ts'
import { mediaSample } from '../media-samples.ts'

const extendModel = 'longer videos'
const editModel = 'changed videos'

let service: HttpService
let client: OpenAI
beforeAll(async () => {
  service = await openHttpService()
  client = new OpenAI({ apiKey: service.key, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 })
  for (const [id, use] of [
    [extendModel, 'extend'],
    [editModel, 'edit'],
  ]) {
    const parameters = { prompt: {}, input_video: {}, task: { enum: [use] }, seconds: { minimum: 1, maximum: 10, default: 5 } }
    const body = { id, object: 'video', parameters, price: { per_second: 0.1 } }
    expect((await service.request('POST', '/admin/v1/models', { body })).status).toBe(201)
  }
})
afterAll(() => service[Symbol.asyncDispose]())

/** Creates a completed video of a model. */
async function createVideo(model: string): Promise<string> {
  const { id } = await client.videos.create({ model, prompt: 'A train' })
  await service.startAll()
  await service.complete(id, { durationMs: 2_000, bytes: mediaSample('mp4') })
  return id
}

const readParameters = async (id: string) => (await service.request('GET', `/v2/model-center/tasks/${id}`)).json.parameters
const countAssets = async (): Promise<number> => (await service.request('GET', '/v2/assets')).json.items.length

describe('videos generated from other videos, through the official client', () => {
  it('a remix uses the earlier video as input_video, and the response names that video', async () => {
    const earlierId = await createVideo(editModel)
    const remix = await client.videos.remix(earlierId, { prompt: 'At night' })
    expect(remix).toMatchObject({
      object: 'video',
      model: editModel,
      status: 'queued',
      remixed_from_video_id: earlierId,
      prompt: 'At night',
    })
    expect(await readParameters(remix.id)).toMatchObject({ task: 'edit', input_video: expect.stringMatching(/^asset:asset_/) })
    expect(await client.videos.retrieve(remix.id)).toMatchObject({ remixed_from_video_id: earlierId })
    expect(await countAssets()).toBe(1)
  })

  it('an edit or extension accepts an earlier video or a file, and uses the model that the request names', async () => {
    const earlierId = await createVideo(editModel)
    const edited = await client.videos.edit({ prompt: 'Red', video: { id: earlierId } })
    expect(edited).toMatchObject({ model: editModel, remixed_from_video_id: earlierId })
    const longer = { prompt: 'On', seconds: '3', video: { id: earlierId }, model: extendModel }
    const extended = await client.videos.extend(longer as never)
    expect(extended).toMatchObject({ model: extendModel, seconds: '3', remixed_from_video_id: earlierId })
    expect(await readParameters(extended.id)).toMatchObject({ task: 'extend', seconds: 3 })
    const file = await toFile(mediaSample('webm'), 'clip.webm', { type: 'video/webm' })
    const editedVideo = await client.videos.edit({ prompt: 'Blue', video: file, model: editModel } as never)
    expect(editedVideo).toMatchObject({ model: editModel, remixed_from_video_id: null })
  })

  it('a retry of a remix whose response was lost returns the first task', async () => {
    const earlierId = await createVideo(editModel)
    const remix = (count: string) =>
      service.request('POST', `/v1/videos/${earlierId}/remix`, {
        body: { prompt: 'Twice' },
        headers: { 'x-stainless-retry-count': count },
      })
    const [firstResponse, secondResponse] = [await remix('0'), await remix('1')]
    expect(secondResponse.json.id).toBe(firstResponse.json.id)
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['with an idempotency key', { 'idempotency-key': 'deleted' }, { 'idempotency-key': 'deleted' }],
    ['that the client marks', { 'x-stainless-retry-count': '0' }, { 'x-stainless-retry-count': '1' }],
  ])(
    'a retry %s returns the first task after its source video and the asset with the copy were deleted',
    async (_name, firstHeaders, retryHeaders) => {
      const earlierId = await createVideo(editModel)
      const send = (headers: Record<string, string>) =>
        service.request('POST', `/v1/videos/${earlierId}/remix`, { body: { prompt: 'Again' }, headers })
      const remix = await send(firstHeaders)
      const { input_video } = await readParameters(remix.json.id)
      for (const path of [`/v1/videos/${earlierId}`, `/v2/assets/${input_video.slice('asset:'.length)}`])
        expect((await service.request('DELETE', path)).status).toBe(200)
      expect(await send(retryHeaders)).toMatchObject({
        status: 200,
        json: { id: remix.json.id, remixed_from_video_id: earlierId },
      })
    },
  )

  it('a marked retry of a form returns the first task after its source was deleted', async () => {
    const earlierId = await createVideo(editModel)
    const send = async (count: string) => {
      const body = new FormData()
      body.set('prompt', 'Again')
      body.set('video[id]', earlierId)
      const headers = { authorization: `Bearer ${service.key}`, 'x-stainless-retry-count': count }
      const response = await service.fetch(`${service.baseUrl}/v1/videos/edits`, { method: 'POST', body, headers })
      return (await response.json()) as { id: string; remixed_from_video_id: string }
    }
    const edit = await send('0')
    expect(edit.remixed_from_video_id).toBe(earlierId)
    expect((await service.request('DELETE', `/v1/videos/${earlierId}`)).status).toBe(200)
    expect(await send('1')).toMatchObject({ id: edit.id })
  })

  it('an idempotency key of a remix is rejected for another prompt or source', async () => {
    const [earlierId, otherId] = [await createVideo(editModel), await createVideo(editModel)]
    const send = (id: string, prompt: string) =>
      service.request('POST', `/v1/videos/${id}/remix`, { body: { prompt }, headers: { 'idempotency-key': 'one-remix' } })
    expect((await send(earlierId, 'One')).status).toBe(200)
    for (const rejected of [await send(earlierId, 'Other'), await send(otherId, 'One')])
      expect([rejected.status, rejected.json.error.code]).toEqual([409, 'idempotency_key_reused'])
    expect((await service.request('DELETE', `/v1/videos/${earlierId}`)).status).toBe(200)
    const rejected = await send(earlierId, 'Other')
    expect([rejected.status, rejected.json.error.code]).toEqual([409, 'idempotency_key_reused'])
  })

  it.each([
    [
      'a model that takes no video',
      async () => await createVideo('vidC2Stable'),
      'vidC2Stable cannot edit an input video; models that can do that are changed videos',
    ],
    [
      'a model that only extends',
      async () => await createVideo(extendModel),
      'longer videos cannot edit an input video; models that can do that are changed videos',
    ],
    ['an id of no task', async () => 'task_0197c0de00007000800000000000abcd', 'This account has no task with this id'],
    [
      'a running video',
      async () => (await client.videos.create({ model: editModel, prompt: 'x' })).id,
      'This video has no content: it is queued',
    ],
  ])('a remix of %s is refused, without held credits and without a stored asset', async (_name, prepare, message) => {
    const id = await prepare()
    const [credits, storedAssets] = [(await service.request('GET', '/v2/credits')).json, await countAssets()]
    await expect(client.videos.remix(id, { prompt: 'x' })).rejects.toMatchObject({ message: expect.stringContaining(message) })
    expect([(await service.request('GET', '/v2/credits')).json, await countAssets()]).toEqual([credits, storedAssets])
  })

  it('a remix is accepted although a parallel remix of the same video is rejected', async () => {
    const earlierId = await createVideo(editModel)
    for (let round = 0; round < 12; round++) {
      for (const { id } of (await service.request('GET', '/v2/assets')).json.items)
        await service.request('DELETE', `/v2/assets/${id}`)
      const rejected = client.videos.remix(earlierId, { prompt: 'x', seconds: '99' } as never)
      const accepted = sleep(2 * round).then(() => client.videos.remix(earlierId, { prompt: 'At night' }))
      await expect(rejected).rejects.toMatchObject({ param: 'seconds' })
      expect(await accepted).toMatchObject({ status: 'queued' })
    }
  })

  it.each([
    ['/v1/videos/edits', { prompt: 'x' }, 'video', /video must be a file/],
    [
      '/v1/videos/edits',
      { prompt: 'x', video: 'https://example.com/clip.mp4' },
      'model',
      /name a model; models that can do that are changed videos/,
    ],
    ['/v1/videos/extensions', { prompt: 'x', video: { id: 'task_1', name: 'x' } }, 'video', /video must be a file/],
    ['/v1/videos/edits', { prompt: 'x', video: { id: 7 } }, 'video', /video must be a file/],
    ['/v1/videos/edits', { prompt: 'x', video: 'not a video', model: editModel }, 'input_video', /input_video must be/],
    [
      '/v1/videos/edits',
      { video: 'asset:asset_0197c0de00007000800000000000abcd', model: editModel, prompt: 'x', colour: 1 },
      'colour',
      /unknown/,
    ],
  ])('%s with %j is rejected, and the error names the field %s', async (path, body, param, message) => {
    const { status, json } = await service.request('POST', path, { body })
    expect([status, json.error]).toMatchObject([400, { param, message: expect.stringMatching(message) }])
  })

  it('a remix that is rejected before its source is copied closes the file of the source', async () => {
    const earlierId = await createVideo(editModel)
    const open = vi.spyOn(service.mediaStore, 'open')
    vi.spyOn(service.assets, 'receive').mockRejectedValueOnce(new AppError('overloaded', 'too many uploads'))
    const { status } = await service.request('POST', `/v1/videos/${earlierId}/remix`, { body: { prompt: 'Later' } })
    const opened = await open.mock.results[0]?.value
    vi.restoreAllMocks()
    expect([status, opened?.stream.destroyed]).toEqual([503, true])
  })

  it('a remix of a video whose file is damaged is rejected', async () => {
    const earlierId = await createVideo(editModel)
    truncateSync(service.mediaStore.pathOf(`${earlierId}.mp4`), 1_000)
    const { status, json } = await service.request('POST', `/v1/videos/${earlierId}/remix`, { body: { prompt: 'Later' } })
    expect([status, json.error.message]).toEqual([500, expect.stringContaining('file is damaged')])
  })

  it('another account cannot use a video', async () => {
    const earlierId = await createVideo(editModel)
    const otherAccount = await service.newAccount(100)
    const refused = await service.request('POST', `/v1/videos/${earlierId}/remix`, {
      body: { prompt: 'x' },
      key: otherAccount.key,
    })
    expect([refused.status, refused.json.error.code]).toEqual([404, 'task_not_found'])
  })
})

it('the OpenAI client reads all pages of the list of videos in ascending order', async () => {
  const { key } = await service.newAccount(100)
  const openai = new OpenAI({ apiKey: key, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 })
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await openai.videos.create({ model: 'vidC2Stable', prompt: `${n}` })).id)
  const listed: string[] = []
  for await (const { id } of openai.videos.list({ limit: 2, order: 'asc' })) listed.push(id)
  expect(listed).toEqual(ids)
})
