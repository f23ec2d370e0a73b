import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asset, Simulation, Task } from '@framegate/contract'
import { Framegate } from '../../sdk/src/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { probeMedia } from '../src/media/probe-media.ts'
import { runFramegate } from '../../cli/test/run-framegate.ts'
import { packetVideo } from './packet-video.ts'
import { plainPng } from './plain-png.ts'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from './s3-server.ts'
import { startServer, type StartedServer } from './started-server.ts'
import { openaiKey, openaiProtocol } from './upstreams/openai.protocol.ts'
import { Simulator } from './upstreams/simulator.ts'
import { startServiceWithUpstreams } from './upstreams/service-with-upstreams.ts'

interface StartedService {
  server: StartedServer
  bucket: string
  dataDir: string
}

/** These tests run a started service that stores its media in a bucket of a real S3 server. */
describe.skipIf(s3ServerUnavailable !== null)(s3Suite('a service with its media in S3'), () => {
  let s3: S3Server
  let folder: string
  let openedServers: StartedServer[]
  /** Services that several tests use, by their settings. */
  const sharedServices = new Map<string, Promise<StartedService>>()

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-s3-service-'))
    openedServers = []
  })
  afterEach(async () => {
    for (const server of openedServers.splice(0)) await server.stop()
  })
  afterAll(async () => {
    for (const starting of sharedServices.values()) await (await starting).server.stop()
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  function settingsFor(bucket: string, environment: Record<string, string> = {}): Record<string, string> {
    return {
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      ...environment,
    }
  }

  async function open(environment: Record<string, string>): Promise<StartedService> {
    const { bucket } = s3.newBucket()
    const dataDir = path.join(folder, bucket)
    return { server: await startServer(dataDir, settingsFor(bucket, environment)), bucket, dataDir }
  }

  async function start(environment: Record<string, string> = {}): Promise<StartedService> {
    const startedService = await open(environment)
    openedServers.push(startedService.server)
    return startedService
  }

  /** Returns the service that every test with these settings uses. */
  async function shareService(environment: Record<string, string> = {}): Promise<StartedService> {
    const name = JSON.stringify(environment)
    const starting = sharedServices.get(name) ?? open(environment)
    sharedServices.set(name, starting)
    return starting
  }

  const image = { model: 'imgA-5.0', prompt: 'x' }
  const withoutRedirect = { redirect: 'manual' } as const

  it('a service whose bucket is missing is not ready, and names the media store', async () => {
    const { server, bucket } = await start()
    const readReadiness = async (): Promise<unknown> => {
      const response = await server.fetch(`${new URL(server.baseUrl).origin}/readyz`)
      return [response.status, ((await response.json()) as { error?: { message: string } }).error?.message]
    }
    rmSync(s3.pathOf(bucket, ''), { recursive: true })
    expect(await readReadiness()).toEqual([503, 'The media store is not writable (NoSuchBucket).'])
  })

  it('a video is stored only in the bucket, and downloads are redirected there', async () => {
    const { server, bucket, dataDir } = await start({ S3_PREFIX: 'framegate' })
    const video = { model: 'vidDq3-turbo', prompt: 'x', seconds: 1, resolution: '540p' }
    const task = await finishTask(server, video)
    expect(task).toMatchObject({ status: 'completed', actualDuration: 1 })
    const url = task.result_url ?? ''
    expect(url.startsWith(server.baseUrl)).toBe(true)
    const thumbnail = await server.fetch(task.thumbnail_url ?? '', withoutRedirect)
    expect([thumbnail.status, (await fetch(task.thumbnail_url ?? '')).headers.get('content-type')]).toEqual([302, 'image/webp'])
    expect(s3.filesIn(bucket).objects.toSorted()).toEqual([
      expect.stringMatching(new RegExp(`^framegate/../../${task.id}-thumbnail\\.webp$`)),
      expect.stringMatching(new RegExp(`^framegate/../../${task.id}\\.mp4$`)),
    ])
    expect(readdirSync(dataDir)).not.toContain('media')

    const redirectResponse = await server.fetch(url, withoutRedirect)
    expect(redirectResponse.status).toBe(302)
    const location = new URL(redirectResponse.headers.get('location') ?? '')
    expect(location.origin).toBe(s3.endpoint)
    expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(86_400 + 660)

    const response = await fetch(url)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': `inline; filename="${task.id}.mp4"`,
      'accept-ranges': 'bytes',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const file = path.join(folder, 'video.mp4')
    writeFileSync(file, bytes)
    expect(await probeMedia(file)).toMatchObject({ contentType: 'video/mp4', durationSeconds: 1 })

    const partResponse = await fetch(url, { headers: { range: 'bytes=100-199' } })
    expect([partResponse.status, partResponse.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.byteLength}`])
    expect(Buffer.from(await partResponse.arrayBuffer())).toEqual(bytes.subarray(100, 200))
  })

  it('the service itself serves requests that presigned URLs cannot serve: HEAD, conditions, ranges beyond the end, unusual links', async () => {
    const { server } = await shareService()
    const task = await finishTask(server, image)
    const url = task.result_url ?? ''
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`

    const head = await server.fetch(url, { method: 'HEAD', ...withoutRedirect })
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      etag,
      'content-type': 'image/png',
      'content-length': String(bytes.byteLength),
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect((await server.fetch(url, { headers: { 'if-none-match': etag }, ...withoutRedirect })).status).toBe(304)
    const continued = await server.fetch(url, { headers: { range: 'bytes=5-', 'if-range': etag }, ...withoutRedirect })
    expect([continued.status, Buffer.from(await continued.arrayBuffer())]).toEqual([206, bytes.subarray(5)])
    expect((await server.fetch(url, { headers: { range: 'bytes=99999999-' }, ...withoutRedirect })).status).toBe(416)
    expect((await server.fetch(url.replace('signature=', 'signature=A'), withoutRedirect)).status).toBe(403)

    const simulate: Simulation = { download_breaks_after_bytes: 1000, result_url_seconds: 2 }
    const broken = await finishTask(server, { ...image, simulate })
    const download = await server.fetch(broken.result_url ?? '', withoutRedirect)
    expect(download.status).toBe(200)
    await expect(download.arrayBuffer()).rejects.toThrow()
    await sleep(2100)
    expect((await server.fetch(broken.result_url ?? '', withoutRedirect)).status).toBe(410)
  })

  it('the SDK downloads a result from the bucket', async () => {
    const { server } = await shareService()
    const task = await finishTask(server, image)
    const client = new Framegate({ baseUrl: server.baseUrl, apiKey: server.apiKey })
    const file = path.join(folder, 'by-sdk.png')
    await (await client.tasks.download(task.id)).saveTo(file)
    expect(await probeMedia(file)).toMatchObject({ contentType: 'image/png' })
  })

  it('the service delivers every file itself with all documented headers if configured so', async () => {
    const { server } = await shareService({ S3_DELIVERY: 'service' })
    const task = await finishTask(server, image)
    const response = await server.fetch(task.result_url ?? '', withoutRedirect)
    expect(response.status).toBe(200)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const partResponse = await server.fetch(task.result_url ?? '', { headers: { range: 'bytes=-10' } })
    expect(Buffer.from(await partResponse.arrayBuffer())).toEqual(bytes.subarray(-10))
  })

  it('uploaded images are stored in the bucket, used by tasks and shown by links', async () => {
    const { server, bucket } = await shareService()
    const form = new FormData()
    const frame = plainPng(64, 48)
    form.append('file', new Blob([frame], { type: 'image/png' }), 'frame.png')
    const uploaded = await fetch(`${server.baseUrl}/v2/assets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}` },
      body: form,
    })
    expect(uploaded.status).toBe(201)
    const asset = (await uploaded.json()) as Asset
    expect(s3.filesIn(bucket).objects.filter((key) => key.includes(asset.id))).toHaveLength(1)
    const shownFile = await server.fetch(asset.url, withoutRedirect)
    expect([shownFile.status, Buffer.from(await shownFile.arrayBuffer())]).toEqual([200, Buffer.from(frame)])
    const task = await finishTask(server, { ...image, reference_images: [`asset:${asset.id}`] })
    expect(task).toMatchObject({ status: 'completed', error: null })
    expect((await server.request('DELETE', `/v2/assets/${asset.id}`)).status).toBe(200)
    await vi.waitUntil(() => !s3.filesIn(bucket).objects.some((key) => key.includes(asset.id)), { timeout: 20_000 })
  })

  it('results whose retention has expired are removed from the bucket', async () => {
    const { server, bucket, dataDir } = await start({ RESULT_RETENTION: '2' })
    const task = await finishTask(server, image)
    const direct = (await server.fetch(task.result_url ?? '', withoutRedirect)).headers.get('location') ?? ''
    await sleep(2100)
    expect(await queryTask(server, task.id)).toMatchObject({ result_expired: true })
    expect((await fetch(direct)).status).not.toBe(200)
    // The sweep runs once a minute, and at each start.
    openedServers.splice(0)
    await server.stop()
    openedServers.push(await startServer(dataDir, settingsFor(bucket)))
    await vi.waitUntil(() => s3.filesIn(bucket).objects.length === 0, { timeout: 20_000 })
  })

  it('the result of a finished job is stored once the bucket is available again, and its upstream is paid once', async () => {
    await using upstream = await Simulator.open(openaiProtocol)
    upstream.moves = ['succeeded']
    upstream.media = await packetVideo()
    const { bucket } = s3.newBucket()
    const model = 'vidK O3 Video Generation'
    const routing = {
      upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
      routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
    }
    await using service = await startServiceWithUpstreams(routing, settingsFor(bucket))
    await s3.kill()
    try {
      const id = await service.submit({ model, prompt: 'a kite over dunes', seconds: 5 })
      // The service gives up a result that is itself invalid after three attempts.
      await vi.waitUntil(() => service.server.log().split('could not be collected').length > 3, { timeout: 60_000 })
      expect(await service.task(id)).toMatchObject({ status: 'processing' })
      await s3.start()
      const task = await service.until(id, 'completed')
      expect(task).toMatchObject({ actualDuration: 5, error: null })
      expect(Buffer.from(await (await fetch(task.result_url ?? '')).arrayBuffer())).toEqual(upstream.media)
      expect(upstream.jobs).toHaveLength(1)
      expect(service.rows('select number from task_attempts')).toHaveLength(1)
      expect(service.server.log()).not.toContain(s3.secretAccessKey)
    } finally {
      await s3.start()
    }
  })

  it('requests get 503 instead of 500 while the bucket is unavailable, and succeed afterwards', async () => {
    const { server } = await shareService({ S3_DELIVERY: 'service' })
    const task = await finishTask(server, image)
    await s3.kill()
    const refused = await server.fetch(task.result_url ?? '').finally(() => s3.start())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } })
    expect((await server.fetch(task.result_url ?? '')).status).toBe(200)
  })

  it('the doctor checks the bucket', async () => {
    const { bucket } = s3.newBucket()
    const runDoctor = async (environment: Record<string, string>) => {
      const env = { ...settingsFor(bucket), ...environment }
      const { stdout } = await runFramegate(['doctor', '--no-render', '--json', '--url', 'http://127.0.0.1:9'], {
        cwd: folder,
        env,
      })
      return (JSON.parse(stdout) as { checks: { name: string }[] }).checks.find(({ name }) => name === 'bucket')
    }
    expect(await runDoctor({})).toMatchObject({ status: 'ok', message: `${bucket} at ${s3.endpoint}` })
    expect(await runDoctor({ S3_BUCKET: 'not-there' })).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('S3_BUCKET: there is no bucket not-there'),
    })
  })

  it.each([
    ['S3_BUCKET', { S3_BUCKET: 'not-there' }],
    ['S3_SECRET_ACCESS_KEY', { S3_SECRET_ACCESS_KEY: 'another-planted-secret' }],
    ['S3_ENDPOINT', { S3_ENDPOINT: 'http://127.0.0.1:9' }],
    ['S3_ACCESS_KEY_ID', { S3_ACCESS_KEY_ID: '' }],
  ])('a start with an invalid %s fails with one line that names the setting', async (name, invalid) => {
    const { bucket } = s3.newBucket()
    const env = { ...settingsFor(bucket), FRAMEGATE_PORT: '0', FRAMEGATE_DATA_DIR: path.join(folder, 'wrong'), ...invalid }
    const { exitCode, stdout, stderr } = await runFramegate(['serve'], { cwd: folder, env })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`^${name}: [^\\n]+\\n$`))
    expect(stderr).not.toMatch(/planted-secret/)
  })
})

async function queryTask(server: StartedServer, id: string, waitSeconds = 0): Promise<Task> {
  return (await (await server.request('GET', `/v2/model-center/tasks/${id}?wait=${waitSeconds}`)).json()) as Task
}

async function finishTask(server: StartedServer, body: object): Promise<Task> {
  const submitted = await server.request('POST', '/v2/model-center/tasks', body)
  expect(submitted.status).toBe(202)
  const { id } = (await submitted.json()) as Task
  return queryTask(server, id, 60)
}
