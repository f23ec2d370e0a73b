import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { decodeVideo, rootMeanSquare } from '../../../renderer/test/decode-video.ts'
import { plainVideo, plainVideoSize } from '../../../renderer/test/plain-video.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type TaskResponse, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'
const video = { model, prompt: 'a kite over dunes', seconds: 5 }
const ffmpegFile = findFfmpeg()

/** The only folder on the PATH of the service. */
let programFolder: string
/** An upstream that cannot draw a watermark. */
let upstream: Simulator
let service: ServiceWithUpstreams
beforeAll(async () => {
  upstream = await Simulator.open(openaiProtocol)
  upstream.moves = ['succeeded']
  upstream.media = await plainVideo()
})
afterAll(() => upstream[Symbol.asyncDispose]())
afterEach(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(programFolder, { recursive: true })
})

function findFfmpeg(): string | null {
  try {
    return execFileSync('/bin/sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

const installFfmpeg = (): void => symlinkSync(ffmpegFile ?? '', path.join(programFolder, 'ffmpeg'))

/** Starts a service whose installation lacks the WebCodecs package. */
async function start({ hasFfmpeg }: { hasFfmpeg: boolean }): Promise<void> {
  programFolder = mkdtempSync(path.join(tmpdir(), 'framegate-programs-'))
  if (hasFfmpeg) installFfmpeg()
  const fixture = new URL('../without-webcodecs.fixture.ts', import.meta.url).href
  const routing = {
    upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
    routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
  }
  service = await startServiceWithUpstreams(routing, { PATH: programFolder, NODE_OPTIONS: `--import=${fixture}` })
}

async function fetchResult({ result_url = '' }: TaskResponse): Promise<Buffer> {
  return Buffer.from(await (await service.server.fetch(result_url)).arrayBuffer())
}

const noEncoderWarning = 'the package @napi-rs/webcodecs cannot be loaded, and there is no ffmpeg on PATH'

it('a service with neither ffmpeg nor the WebCodecs package renders videos with sound', async () => {
  await start({ hasFfmpeg: false })
  const rendered = { model: 'sd_2.0_mini_special', prompt: 'rain on leaves', seconds: 4, resolution: '480p', audio: true }
  const { sound } = await decodeVideo(await fetchResult(await service.until(await service.submit(rendered), 'completed')))
  expect(sound).toMatchObject({ codec: 'mp4a.40.2', seconds: 4 })
  expect(rootMeanSquare(sound!.left)).toBeGreaterThan(0.01)
})

it('without an encoder for watermarks, a task with a watermark fails before its submit, and a warning is logged at the start', async () => {
  await start({ hasFfmpeg: false })
  await expect.poll(() => service.server.log()).toContain(noEncoderWarning)
  const jobsBefore = upstream.jobs.length
  const task = await service.until(await service.submit({ ...video, watermark: true }), 'failed')
  expect(task).toMatchObject({ error_code: 'invalid_input', amount: 0 })
  expect(upstream.jobs.length).toBe(jobsBefore)
  await expect.poll(() => service.server.log()).toContain('a video with a watermark is not submitted')
  expect(await fetchResult(await service.until(await service.submit(video), 'completed'))).toEqual(upstream.media)
})

it.skipIf(ffmpegFile === null)('watermarks are drawn with the ffmpeg on PATH, and a task waits while it is missing', async () => {
  await start({ hasFfmpeg: true })
  expect(service.server.log()).not.toContain('Watermarks cannot be drawn')
  await service.until(await service.submit({ ...video, watermark: true }), 'completed')
  rmSync(path.join(programFolder, 'ffmpeg'))
  const jobsBefore = upstream.jobs.length
  const id = await service.submit({ ...video, watermark: true })
  // The service would give up after three attempts if the result itself were invalid.
  const failedCollections = (): number => service.server.log().split('a result could not be collected').length - 1
  await vi.waitUntil(() => failedCollections() >= 3, { timeout: 30_000 })
  installFfmpeg()
  const watermarked = await fetchResult(await service.until(id, 'completed'))
  expect(await decodeVideo(watermarked)).toMatchObject({ ...plainVideoSize, videoSeconds: 1 })
  expect(watermarked).not.toEqual(upstream.media)
  expect(upstream.jobs.length - jobsBefore).toBe(1)
})
