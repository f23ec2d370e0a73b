import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UntrustedFetchError } from '../src/lib/guarded-fetch/untrusted-fetch-error.ts'
import { openHttpService, type HttpResponse, type HttpService } from './http-service.ts'
import { incomingFiles } from './media-files.ts'
import { mediaSample } from './media-samples.ts'
import { packetVideo } from './packet-video.ts'
import { plainPng } from './plain-png.ts'

vi.setConfig({ testTimeout: 60_000 })

const tasksPath = '/v2/model-center/tasks'
const model = 'videos_2.5_30_10_10_c5'

let service: HttpService
/** Contents of the files at the URLs in these tests. */
let files: Record<string, () => Buffer | Promise<Buffer>>
let fetchedUrls: string[]

beforeEach(async () => {
  fetchedUrls = []
  files = {
    'https://example.com/clip.mp4': () => mediaSample('mp4'),
    'https://example.com/song.mp3': () => mediaSample('mp3'),
    'https://example.com/page': () => Buffer.from('<html>'),
  }
  service = await openHttpService({
    async fetchUntrusted(url) {
      fetchedUrls.push(url)
      const make = files[url]
      if (make === undefined) throw new UntrustedFetchError('bad_response', 'the server responded with 404')
      return { stream: Readable.from([await make()]), contentType: null, finalUrl: url, status: 200 }
    },
  })
})
afterEach(async () => {
  expect(incomingFiles(service.dataDir)).toEqual([])
  await service[Symbol.asyncDispose]()
})

const submit = (body: object, headers: Record<string, string> = {}, path = tasksPath): Promise<HttpResponse> =>
  service.request('POST', path, { body: { model, prompt: 'Video 1 in the rain', ...body }, headers })
const clip = 'https://example.com/clip.mp4'
const readBalance = async () => (await service.request('GET', '/v2/credits')).json

async function upload(bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(bytes)]))
  return `asset:${(await service.request('POST', '/v2/assets', { rawBody: form })).json.id}`
}

it('a video is accepted as a URL, a data URI and an asset, is probed, and is shown in the task', async () => {
  const asset = await upload(mediaSample('mov'))
  const dataUri = `data:video/webm;base64,${mediaSample('webm').toString('base64')}`
  const { status, json } = await submit({ reference_videos: [clip, dataUri, asset] })
  expect(status).toBe(202)
  expect(fetchedUrls).toEqual([clip])
  const { parameters } = (await service.request('GET', `${tasksPath}/${json.id}`)).json
  expect(parameters.reference_videos).toEqual([
    clip,
    { content_type: 'video/webm', size_bytes: mediaSample('webm').byteLength, sha256: expect.any(String) },
    asset,
  ])
  const links = await service.store.database.selectFrom('task_assets').selectAll().execute()
  expect(links).toHaveLength(1)
})

describe('files that are rejected before credits are held', () => {
  it.each<[string, () => Promise<object> | object, string, string, RegExp]>([
    [
      'a URL that gets 404',
      () => ({ reference_videos: ['https://example.com/none.mp4'] }),
      'reference_unreachable',
      '/reference_videos/0',
      /responded with 404/,
    ],
    [
      'a URL of a web page',
      () => ({ reference_videos: [clip, 'https://example.com/page'] }),
      'invalid_parameter',
      '/reference_videos/1',
      /^reference_videos\[1\]: this is a web page/,
    ],
    [
      'sound in place of a video',
      () => ({ reference_videos: ['https://example.com/song.mp3'] }),
      'invalid_parameter',
      '/reference_videos/0',
      /^reference_videos\[0\] must be a video; this is sound/,
    ],
    [
      'an image asset in place of a video',
      async () => ({ reference_videos: [await upload(plainPng(8, 8))] }),
      'invalid_parameter',
      '/reference_videos/0',
      /must be a video; this is an image/,
    ],
    [
      'a video asset in place of an image',
      async () => ({ first_frame: await upload(mediaSample('mp4')) }),
      'invalid_parameter',
      '/first_frame',
      /first_frame must be an image; this is a video/,
    ],
    [
      'a data URI of another kind',
      () => ({ reference_videos: [`data:image/png;base64,${plainPng(8, 8).toString('base64')}`] }),
      'invalid_parameter',
      '/reference_videos/0',
      /video\/mp4/,
    ],
    [
      'a data URI with another type than its bytes',
      () => ({ reference_videos: [`data:video/mp4;base64,${plainPng(8, 8).toString('base64')}`] }),
      'invalid_parameter',
      '/reference_videos/0',
      /MP4, MOV or WebM/,
    ],
    [
      'a private address',
      () => ({ reference_videos: ['http://127.0.0.1/a.mp4'] }),
      'reference_unreachable',
      '/reference_videos/0',
      /public address/,
    ],
    [
      'an unknown asset',
      () => ({ reference_videos: ['asset:asset_0197c0de00007000800000000000abcd'] }),
      'invalid_parameter',
      '/reference_videos/0',
      /has no asset/,
    ],
    [
      'more than ten videos',
      () => ({ reference_videos: Array<string>(11).fill(clip) }),
      'invalid_parameter',
      '/reference_videos',
      /a list of 0 to 10 video references/,
    ],
    [
      'a video of 31 seconds',
      async () => ({ reference_videos: [await upload(await packetVideo({ frames: 31 * 24 }))] }),
      'invalid_parameter',
      '/reference_videos/0',
      /^reference_videos\[0\] is 31 seconds long; it must be at most 30 seconds long/,
    ],
    [
      'videos of more than 30 seconds together',
      async () => ({ reference_videos: Array<string>(4).fill(await upload(await packetVideo({ frames: 8 * 24 }))) }),
      'invalid_parameter',
      '/reference_videos',
      /^reference_videos has 32 seconds in total; at most 30 are allowed/,
    ],
  ])(
    'a submit and a quote are rejected with the field and hold no credits: %s',
    async (_, make, code, pointer, expectedMessage) => {
      const body = await make()
      const balanceBefore = await readBalance()
      for (const path of [tasksPath, `${tasksPath}/quote`]) {
        const { status, json } = await submit(body, {}, path)
        expect([status, json.error?.code]).toEqual([400, code])
        expect(json.error.errors[0]).toMatchObject({ pointer, message: expect.stringMatching(expectedMessage) })
      }
      expect(await readBalance()).toEqual(balanceBefore)
      expect((await service.request('GET', tasksPath)).json.items).toEqual([])
    },
  )
})

it('videos of exactly the allowed length together are accepted', async () => {
  const asset = await upload(await packetVideo({ frames: 15 * 24 }))
  expect((await submit({ reference_videos: [asset, asset] })).status).toBe(202)
})

it('a retried submit returns its first task even if its video is no longer available', async () => {
  const headers = { 'idempotency-key': 'once' }
  const firstResponse = await submit({ reference_videos: [clip] }, headers)
  delete files[clip]
  const retried = await submit({ reference_videos: [clip] }, headers)
  expect([retried.status, retried.json.id, retried.headers.get('idempotency-replayed')]).toEqual([
    202,
    firstResponse.json.id,
    'true',
  ])
  expect((await submit({ reference_videos: [clip] }, { 'idempotency-key': 'other' })).status).toBe(400)
})

it('a model without video inputs rejects videos with the name of the parameter, and the reference models accept them', async () => {
  const refused = await submit({ model: 'veo-3.1', reference_videos: [clip] })
  expect(refused.json.error).toMatchObject({ code: 'unknown_parameter', param: 'reference_videos' })
  for (const model of ['vidW3.0-prime-r2v-c1', 'vidW3.0-video-r2v-c2', 'vidH 1.1 v2 Reference Raw Video', 'videos_30_10_10_c3']) {
    const body = { model, reference_images: ['https://example.com/a.png'], reference_videos: [clip] }
    expect([model, (await submit(body)).status]).toEqual([model, 202])
  }
  expect((await submit({ video_url: clip })).json.error.message).toContain('reference_videos')
})

describe('prices that depend on the files of a request', () => {
  const price = {
    unit: 'second',
    credits: { '*': 0.1 },
    input_second_credits: { '720p': 0.05, '*': 0.01 },
    video_factor: 0.5,
    input_image_credits: 0.02,
    input_images_free: 1,
    minimum_task_credits: 0.3,
  }
  const image = 'https://example.com/a.png'
  beforeEach(() => service.prices.setPrice({ model, price }))

  it('the hold and the quote count probed seconds and images, and the task shows what was billed', async () => {
    const asset = await upload(await packetVideo({ frames: 5 * 24 }))
    const body = { reference_videos: [clip, asset], reference_images: [image, image, image], seconds: 10, resolution: '720p' }
    // `video_factor` halves the price of ten seconds at 0.1 and of seven input seconds at 0.05. The
    // two images after the first are charged in addition.
    const amount = 0.715
    expect((await submit(body, {}, `${tasksPath}/quote`)).json).toMatchObject({ amount, available: true })
    const balanceBefore = (await readBalance()).balance
    const { json } = await submit(body)
    expect(json).toMatchObject({ amount, status: 'queued' })
    expect((await readBalance()).held).toBe(amount)
    expect((await readBalance()).balance).toBe(balanceBefore - amount)
    expect((await service.request('GET', `${tasksPath}/${json.id}`)).json.parameters).toMatchObject({
      seconds: 10,
      billed_inputs: { seconds: 7, images: 3 },
    })
  })

  it('the price is at least the minimum per task, and max_amount also limits the price of probed files', async () => {
    expect((await submit({ seconds: 4 }, {}, `${tasksPath}/quote`)).json.amount).toBe(0.4)
    expect((await submit({ seconds: 4, reference_videos: [clip] }, {}, `${tasksPath}/quote`)).json.amount).toBe(0.3)
    const expensive = { seconds: 10, reference_videos: Array<string>(10).fill(clip), max_amount: 0.55 }
    const refused = await submit(expensive)
    expect([refused.status, refused.json.error?.code]).toEqual([402, 'max_amount_exceeded'])
    expect((await submit(expensive, {}, `${tasksPath}/quote`)).json).toMatchObject({ amount: 1, reason: 'max_amount_exceeded' })
    expect((await service.request('GET', tasksPath)).json.items).toEqual([])
  })

  it('a retried submit returns its task although its video has become longer', async () => {
    const headers = { 'idempotency-key': 'longer' }
    const firstResponse = await submit({ reference_videos: [clip] }, headers)
    files[clip] = () => packetVideo({ frames: 9 * 24 })
    const retried = await submit({ reference_videos: [clip] }, headers)
    expect([retried.status, retried.json.id, retried.json.amount]).toEqual([
      202,
      firstResponse.json.id,
      firstResponse.json.amount,
    ])
  })

  it('the catalogue shows every part of the price', async () => {
    expect((await service.request('GET', `/v2/model-center/models/${model}`)).json.price).toMatchObject(price)
  })
})

it('a defined model rejects files beyond its limits before credits are held, and the catalogue shows these limits', async () => {
  const inputs = {
    video: {
      types: ['video/mp4'],
      seconds_min: 2,
      seconds_max: 8,
      seconds_total_max: 10,
      side_min: 40,
      pixels_max: 90_000,
      fps_min: 20,
    },
    files_max: 4,
  }
  const parameters = { prompt: {}, reference_videos: {}, reference_images: {}, seconds: {} }
  const definition = { id: 'limited', object: 'video', parameters, price: { per_second: 0.1 }, inputs }
  expect((await service.request('POST', '/admin/v1/models', { body: definition })).status).toBe(201)
  expect((await service.request('GET', '/v2/model-center/models/limited')).json.limits.inputs).toEqual(inputs)
  const image = 'https://example.com/a.png'
  const [sevenSeconds, nineSeconds] = [
    await upload(await packetVideo({ frames: 7 * 24 })),
    await upload(await packetVideo({ frames: 9 * 24 })),
  ]
  const webm = `data:video/webm;base64,${mediaSample('webm').toString('base64')}`
  const cases: [object, RegExp][] = [
    [{ reference_videos: [clip, webm] }, /^reference_videos\[1\] is video\/webm; it must be video\/mp4/],
    [{ reference_videos: [nineSeconds] }, /^reference_videos\[0\] is 9 seconds long; it must be 2 to 8 seconds long/],
    [{ reference_videos: [sevenSeconds, sevenSeconds] }, /^reference_videos has 14 seconds in total; at most 10 are allowed/],
    [{ reference_videos: [clip, clip], reference_images: [image, image, image] }, /5 images, videos and sounds; at most 4/],
  ]
  for (const [body, expected] of cases) {
    const { status, json } = await submit({ model: 'limited', ...body })
    expect([status, json.error?.message]).toEqual([400, expect.stringMatching(expected)])
  }
  expect((await submit({ model: 'limited', reference_videos: [clip, sevenSeconds] })).status).toBe(202)
  const stricter = { ...definition, inputs: { video: { pixels_max: 1000 } } }
  expect((await service.request('PATCH', '/admin/v1/models/limited', { body: { inputs: stricter.inputs } })).status).toBe(200)
  expect((await submit({ model: 'limited', reference_videos: [clip] })).json.error.message).toMatch(
    /^reference_videos\[0\] measures 320 x 240 = 76800 pixels; it must have at most 1000/,
  )
})
