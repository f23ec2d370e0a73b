import { createHash } from 'node:crypto'
import { MovOutputFormat, WebMOutputFormat } from 'mediabunny'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openHttpService, type HttpResponse, type HttpService } from './http-service.ts'
import { mediaSample, type MediaSample } from './media-samples.ts'
import { packetVideo } from './packet-video.ts'

vi.setConfig({ testTimeout: 60_000 })

const assetsPath = '/v2/assets'
let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(() => service[Symbol.asyncDispose]())

function upload(bytes: Uint8Array, fileName = 'clip.mp4'): Promise<HttpResponse> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(bytes)]), fileName)
  return service.request('POST', assetsPath, { rawBody: form })
}

describe('videos and sound that are stored', () => {
  it.each<[MediaSample, string, string, object]>([
    ['mp4', 'video/mp4', 'mp4', { width: 320, height: 240, seconds: 2, fps: 24, has_audio: false }],
    ['mov', 'video/quicktime', 'mov', { width: 320, height: 240, seconds: 2, fps: 24 }],
    ['webm', 'video/webm', 'webm', { width: 320, height: 240, seconds: 2 }],
    ['mp3', 'audio/mpeg', 'mp3', { width: null, height: null, seconds: 1.152, fps: null, has_audio: true }],
    ['wav', 'audio/wav', 'wav', { width: null, seconds: 1 }],
    ['m4a', 'audio/mp4', 'm4a', { width: null, seconds: 1.128 }],
    ['flac', 'audio/flac', 'flac', { width: null, seconds: 0.936 }],
    ['ogg', 'audio/ogg', 'ogg', { width: null, seconds: 1 }],
  ])('an uploaded %s is described by its contents and served byte for byte', async (name, type, extension, facts) => {
    const bytes = mediaSample(name)
    const { status, json } = await upload(bytes, 'wrong.png')
    expect([status, json]).toMatchObject([201, { content_type: type, size_bytes: bytes.byteLength, ...facts }])
    expect(json.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(new URL(json.url).pathname).toBe(`/api/media/${json.id}.${extension}`)
    expect((await service.request('GET', `${assetsPath}/${json.id}`)).json).toMatchObject(facts)
    const head = await service.fetch(json.url, { method: 'HEAD', redirect: 'manual' })
    expect([head.status, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
      200,
      type,
      String(bytes.byteLength),
    ])
    const file = await service.fetch(json.url, { redirect: 'manual' })
    expect(file.headers.get('content-type')).toBe(type)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
  })

  it('a video has properties for its sound and for its size after rotation, and a data URI of a video is imported', async () => {
    const sounding = await upload(await packetVideo({ withSound: true }))
    expect(sounding.json).toMatchObject({ has_audio: true, seconds: 5, fps: 24 })
    const rotated = await upload(await packetVideo({ rotation: 90, format: new MovOutputFormat() }))
    expect(rotated.json).toMatchObject({ width: 48, height: 64, content_type: 'video/quicktime' })
    const url = `data:video/webm;base64,${(await packetVideo({ format: new WebMOutputFormat() })).toString('base64')}`
    const imported = await service.request('POST', `${assetsPath}/import`, { body: { url } })
    expect([imported.status, imported.json]).toMatchObject([201, { content_type: 'video/webm' }])
  })

  it('the same video uploaded again is the same asset', async () => {
    const bytes = await packetVideo({ frames: 7 })
    const [firstUpload, secondUpload] = [await upload(bytes), await upload(bytes, 'again.mov')]
    expect([firstUpload.status, secondUpload.status, secondUpload.json]).toEqual([
      201,
      200,
      { ...firstUpload.json, url: secondUpload.json.url, expires_at: secondUpload.json.expires_at },
    ])
  })
})
