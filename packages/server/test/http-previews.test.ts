import { existsSync, truncateSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { previewKey, previewKeysOf } from '../src/media/result-file-name.ts'
import { encodedVideo, hasFfmpeg, rotatedVideo } from './encoded-video.ts'
import { openHttpService, type HttpService } from './http-service.ts'
import { packetVideo } from './packet-video.ts'
import { plainPng } from './plain-png.ts'

vi.setConfig({ testTimeout: 60_000 })

const tasksPath = '/v2/model-center/tasks'
let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** Submits a task and completes it. Each of its results is a file of these bytes. */
async function completeTask(object: 'image' | 'video', bytes: Buffer, resultCount = 1, key = service.key): Promise<Task> {
  const model = object === 'image' ? 'imgA-5.0' : 'vidG_video3'
  const { id } = (await service.request('POST', tasksPath, { body: { model, prompt: 'x' }, key })).json as Task
  await service.startAll()
  await service.complete(id, { bytes, results: resultCount, ...(object === 'video' && { durationMs: 6000 }) })
  return await queryTask(id, key)
}

async function queryTask(id: string, key = service.key): Promise<Task> {
  return (await service.request('GET', `${tasksPath}/${id}`, { key })).json as Task
}

async function pixelsAt(url: string | undefined) {
  const response = await service.fetch(url ?? 'http://a-task-without-such-a-link')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const file = Buffer.from(await response.arrayBuffer())
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  const pixelAt = (x: number, y: number): number[] => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ]
  return { ...info, data, at: pixelAt, response }
}

async function fetchContent(id: string, variant: string) {
  return await service.fetch(`${service.baseUrl}/v1/videos/${id}/content?variant=${variant}`, {
    headers: { authorization: `Bearer ${service.key}` },
    redirect: 'manual',
  })
}

async function fetchSheet(id: string) {
  const response = await fetchContent(id, 'spritesheet')
  expect(response.status).toBe(302)
  return await pixelsAt(response.headers.get('location') ?? '')
}

const plainImage = (width: number, height: number, channels: 3 | 4) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 40, b: 40, alpha: 0.5 } } })

describe('thumbnails of images', () => {
  it('the thumbnail of an image with alpha is 512 pixels wide, keeps the alpha channel, and has a signed link', async () => {
    const task = await completeTask('image', await plainImage(1600, 800, 4).png().toBuffer())
    const { width, height, channels, at, response } = await pixelsAt(task.thumbnail_url)
    expect([width, height, channels]).toEqual([512, 256, 4])
    expect(at(100, 100)[3]).toBe(128)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': `inline; filename="${task.id}-thumbnail.webp"`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    const expires = new URL(task.thumbnail_url ?? '').searchParams.get('expires')
    expect(expires).toBe(new URL(task.result_url ?? '').searchParams.get('expires'))
    const forged = task.thumbnail_url?.replace('-thumbnail', '-spritesheet') ?? ''
    expect((await service.fetch(forged)).status).toBe(403)
    const unchanged = await service.fetch(task.thumbnail_url ?? '', {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    expect(unchanged.status).toBe(304)
  })

  it.each([
    ['1 x 4096 pixels', () => plainImage(1, 4096, 3).png().toBuffer(), [1, 512]],
    ['20 x 10 pixels', () => plainImage(20, 10, 3).jpeg().toBuffer(), [20, 10]],
    ['16 bits', () => plainImage(600, 300, 3).toColorspace('rgb16').png().toBuffer(), [512, 256]],
    [
      'an orientation in its EXIF data',
      () => plainImage(400, 200, 3).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
      [200, 400],
    ],
    ['one bit per pixel', () => plainPng(640, 480), [512, 384]],
  ] as const)(
    'the thumbnail of an image with %s has the shape of the image and sides of at most 512 pixels',
    async (_name, make, size) => {
      const task = await completeTask('image', await make())
      const { width, height } = await pixelsAt(task.thumbnail_url)
      expect([width, height]).toEqual(size)
    },
  )

  it('each result of a task has its own thumbnail, and lists have the thumbnail of the first result', async () => {
    const task = await completeTask('image', await plainImage(64, 64, 3).png().toBuffer(), 2)
    const links = task.results?.map(({ thumbnail_url }) => new URL(thumbnail_url ?? '').pathname.split('/').at(-1))
    expect(links).toEqual([`${task.id}-thumbnail.webp`, `${task.id}-2-thumbnail.webp`])
    expect(task.thumbnail_url).toBe(task.results?.[0]?.thumbnail_url)
    for (const { thumbnail_url } of task.results ?? []) expect((await pixelsAt(thumbnail_url)).width).toBe(64)
    const [listed] = (await service.request('GET', `${tasksPath}?limit=1`)).json.items as Task[]
    expect(listed?.thumbnail_url).toBe(task.thumbnail_url)
  })

  it.each([
    ['is damaged', async () => Buffer.from('the image itself')],
    ['claims 30,000 x 30,000 pixels', async () => hugePng()],
  ])('a thumbnail of a result that %s is attempted once, and then the task has no thumbnail_url', async (_name, make) => {
    const task = await completeTask('image', await make())
    // Each attempt begins with a call of `stat` for the file of the result.
    const stat = vi.spyOn(service.mediaStore, 'stat')
    const firstResponse = await service.request('GET', task.thumbnail_url ?? '', { key: null })
    expect([firstResponse.status, firstResponse.json.error]).toMatchObject([
      404,
      { code: 'resource_not_found', message: 'This result has no thumbnail.' },
    ])
    expect(stat).toHaveBeenCalledExactlyOnceWith(`${task.id}.png`)
    expect((await service.request('GET', task.thumbnail_url ?? '', { key: null })).status).toBe(404)
    expect(stat).toHaveBeenCalledTimes(1)
    const { status, result_url, thumbnail_url, results } = await queryTask(task.id)
    expect([status, typeof result_url, thumbnail_url, results?.[0]?.thumbnail_url]).toEqual([
      'completed',
      'string',
      undefined,
      undefined,
    ])
  })
})

/** A PNG whose header claims more pixels than its data has. */
function hugePng(): Buffer {
  const png = plainPng(30_000, 1)
  png.writeUInt32BE(30_000, 20)
  return png
}

const createImage = () => plainImage(64, 64, 3).png().toBuffer()

describe('previews that are generated on demand', () => {
  it('concurrent requests for the same thumbnail generate it once', async () => {
    const task = await completeTask('image', await createImage())
    const put = vi.spyOn(service.mediaStore, 'put')
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.fetch(task.thumbnail_url ?? '')))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(put).toHaveBeenCalledTimes(1)
  })

  it('a request beyond sixteen previews of an account in progress is rejected with Retry-After', async () => {
    const imageTasks = await Promise.all(Array.from({ length: 17 }, async () => await completeTask('image', await createImage())))
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const put = service.mediaStore.put.bind(service.mediaStore)
    vi.spyOn(service.mediaStore, 'put').mockImplementation(async (...args) => {
      await opened
      return await put(...args)
    })
    const waiting = imageTasks.slice(0, 16).map(({ thumbnail_url }) => service.fetch(thumbnail_url ?? ''))
    await sleep(300)
    const refused = await service.fetch(imageTasks[16]?.thumbnail_url ?? '')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
    open()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(16).fill(200))
    expect((await service.fetch(imageTasks[16]?.thumbnail_url ?? '')).status).toBe(200)
  })

  it('accounts take turns: sixteen queued previews of one account do not delay the preview of another', async () => {
    const imageTasks = await Promise.all(Array.from({ length: 16 }, async () => await completeTask('image', await createImage())))
    const { key } = await service.newAccount(100)
    const otherTask = await completeTask('image', await createImage(), 1, key)
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const put = service.mediaStore.put.bind(service.mediaStore)
    const storedKeys: string[] = []
    vi.spyOn(service.mediaStore, 'put').mockImplementation(async (...args) => {
      storedKeys.push(args[0])
      await opened
      return await put(...args)
    })
    const waiting = imageTasks.map(({ thumbnail_url }) => service.fetch(thumbnail_url ?? ''))
    await sleep(300)
    const otherResponse = service.fetch(otherTask.thumbnail_url ?? '')
    await sleep(300)
    open()
    expect((await otherResponse).status).toBe(200)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(16).fill(200))
    // The first preview was in progress, and the second had the next turn, when the other account
    // requested its own.
    expect(storedKeys.indexOf(previewKey(`${otherTask.id}.png`, 'thumbnail'))).toBe(2)
  })

  it('the generation of a preview stops when no client waits for it, and starts again for the next client', async () => {
    const task = await completeTask('image', await createImage())
    let stopSignal: AbortSignal | undefined
    const hanging = vi.spyOn(service.mediaStore, 'put').mockImplementation(async (_key, _stream, { signal }) => {
      stopSignal = signal
      return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const disconnecting = new AbortController()
    const pendingResponse = fetch(task.thumbnail_url ?? '', { signal: disconnecting.signal }).catch(() => undefined)
    await vi.waitUntil(() => stopSignal !== undefined, { timeout: 10_000 })
    disconnecting.abort()
    await pendingResponse
    await vi.waitUntil(() => stopSignal?.aborted, { timeout: 10_000 })
    hanging.mockRestore()
    expect((await service.fetch(task.thumbnail_url ?? '')).status).toBe(200)
  })

  it('a thumbnail that is missing in the media store is generated again', async () => {
    const task = await completeTask('image', await createImage())
    const thumbnailBefore = Buffer.from(await (await service.fetch(task.thumbnail_url ?? '')).arrayBuffer())
    await service.mediaStore.remove(previewKey(`${task.id}.png`, 'thumbnail'))
    const responseAfter = await service.fetch(task.thumbnail_url ?? '')
    expect([responseAfter.status, Buffer.from(await responseAfter.arrayBuffer())]).toEqual([200, thumbnailBefore])
  })

  it('a thumbnail is generated after the damaged file of the result was restored', async () => {
    const image = await createImage()
    const task = await completeTask('image', image)
    const file = service.mediaStore.pathOf(`${task.id}.png`)
    truncateSync(file, 100)
    const { status, json } = await service.request('GET', task.thumbnail_url ?? '', { key: null })
    expect([status, json.error.message]).toEqual([500, expect.stringContaining('file is damaged')])
    writeFileSync(file, image)
    expect((await service.fetch(task.thumbnail_url ?? '')).status).toBe(200)
  })

  it('a thumbnail is generated after the file of the result was temporarily unreadable', async () => {
    const task = await completeTask('image', await createImage())
    vi.spyOn(service.mediaStore, 'pathOf').mockReturnValueOnce('/a-file-that-cannot-be-opened')
    expect((await service.fetch(task.thumbnail_url ?? '')).status).toBe(503)
    expect((await service.fetch(task.thumbnail_url ?? '')).status).toBe(200)
  })

  it('deletion removes the previews of a task, including a preview in progress', async () => {
    const [storedTask, newTask] = [
      await completeTask('image', await createImage()),
      await completeTask('image', await createImage()),
    ]
    await service.fetch(storedTask.thumbnail_url ?? '')
    const { promise: deleted, resolve } = Promise.withResolvers<void>()
    const put = service.mediaStore.put.bind(service.mediaStore)
    vi.spyOn(service.mediaStore, 'put').mockImplementation(async (...args) => {
      await deleted
      return await put(...args)
    })
    const lateResponse = service.fetch(newTask.thumbnail_url ?? '')
    await sleep(300)
    for (const { id } of [storedTask, newTask]) await service.request('DELETE', `${tasksPath}/${id}`)
    resolve()
    expect((await lateResponse).status).toBe(410)
    for (const { id } of [storedTask, newTask]) {
      for (const key of previewKeysOf(`${id}.png`)) expect(existsSync(service.mediaStore.pathOf(key))).toBe(false)
    }
    expect((await service.fetch(storedTask.thumbnail_url ?? '')).status).toBe(410)
  })
})

const hdr = {
  output: (
    '-pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc ' +
    '-x264-params colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
  ).split(' '),
}

const meanShadeOf = ({ data }: { data: Buffer }): number => data.reduce((sum, value) => sum + value, 0) / data.length

describe.runIf(hasFfmpeg)('previews of videos', () => {
  it('the thumbnail of a video that fades in from black is a frame after the fade', async () => {
    const task = await completeTask('video', encodedVideo('testsrc2=size=640x360:rate=8:duration=3,fade=in:0:10'))
    const thumbnail = await pixelsAt(task.thumbnail_url)
    expect([thumbnail.width, thumbnail.height, thumbnail.channels]).toEqual([512, 288, 3])
    const content = await fetchContent(task.id, 'thumbnail')
    expect([content.status, content.headers.get('location')]).toEqual([302, task.thumbnail_url])
    const shadeAfterFade = meanShadeOf(thumbnail)
    const withoutFade = await completeTask('video', encodedVideo('testsrc2=size=640x360:rate=8:duration=3'))
    expect(shadeAfterFade).toBeGreaterThan(0.9 * meanShadeOf(await pixelsAt(withoutFade.thumbnail_url)))
  })

  it('the thumbnail of a video with a rotation of 90 degrees in its metadata is rotated', async () => {
    const halves = 'color=red:size=320x180:rate=12:duration=1,drawbox=x=160:w=160:h=180:color=blue:t=fill'
    const task = await completeTask('video', rotatedVideo(halves))
    const { width, height, at } = await pixelsAt(task.thumbnail_url)
    expect([width, height]).toEqual([180, 320])
    const [top, bottom] = [at(90, 40), at(90, 280)]
    expect([top[0]! > top[2]!, bottom[0]! > bottom[2]!]).not.toEqual([true, true])
    expect([top[0]! > top[2]!, bottom[0]! > bottom[2]!].filter(Boolean)).toHaveLength(1)
  })

  it('a spritesheet has 25 tiles in the order of the video, and is generated once', async () => {
    const brightening = 'color=white:size=320x180:rate=25:duration=4,fade=in:0:100'
    const { id } = await completeTask('video', encodedVideo(brightening))
    const put = vi.spyOn(service.mediaStore, 'put')
    const sheet = await fetchSheet(id)
    expect([sheet.width, sheet.height]).toEqual([1280, 720])
    const tiles = Array.from({ length: 25 }, (_, tile) => sheet.at((tile % 5) * 256 + 128, Math.floor(tile / 5) * 144 + 72)[0]!)
    expect(tiles).toEqual(tiles.toSorted((left, right) => left - right))
    for (const [tile, shade] of tiles.entries()) expect(Math.abs(shade - ((tile + 0.5) / 25) * 255)).toBeLessThan(12)
    await fetchSheet(id)
    expect(put).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['one frame', () => encodedVideo('testsrc2=size=320x180:rate=25:duration=0.04'), [320, 180]],
    ['2 x 1024 pixels', () => encodedVideo('testsrc2=size=2x1024:rate=12:duration=1'), [1, 512]],
    [
      'a length of four hours',
      () => encodedVideo('testsrc2=size=64x64:rate=1/60:duration=14400', { output: ['-g', '5'] }),
      [64, 64],
    ],
    ['ten bits and a high dynamic range', () => encodedVideo('testsrc2=size=320x180:rate=12:duration=1', hdr), [320, 180]],
  ] as const)('a video with %s has a thumbnail and a spritesheet', async (_name, make, size) => {
    const task = await completeTask('video', make())
    const thumbnail = await pixelsAt(task.thumbnail_url)
    expect([thumbnail.width, thumbnail.height]).toEqual(size)
    expect(meanShadeOf(thumbnail)).toBeGreaterThan(20)
    const sheet = await fetchSheet(task.id)
    expect([sheet.width % 5, sheet.height % 5]).toEqual([0, 0])
    expect(sheet.at(sheet.width - 1, sheet.height - 1)).not.toEqual([0, 0, 0])
  })

  it('a video without a decodable frame has neither thumbnail nor spritesheet', async () => {
    const task = await completeTask('video', await packetVideo())
    expect((await service.fetch(task.thumbnail_url ?? '')).status).toBe(404)
    const link = (await fetchContent(task.id, 'spritesheet')).headers.get('location') ?? ''
    expect((await service.fetch(link)).status).toBe(404)
    expect(await queryTask(task.id)).not.toHaveProperty('thumbnail_url')
    const refused = await fetchContent(task.id, 'thumbnail')
    expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'resource_not_found' } }])
  })

  it('an unknown variant is rejected with a list of the known variants', async () => {
    const task = await completeTask('video', await packetVideo())
    const refused = await fetchContent(task.id, 'poster')
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: 'variant', message: expect.stringMatching(/thumbnail.*spritesheet/) } },
    ])
  })
})
