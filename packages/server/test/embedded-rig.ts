import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { PixelSize } from '@framegate/contract'
import type { GenerationRequest, PollOutcome } from '../src/drivers/driver.ts'
import type { GenerationParameters } from '../src/catalogue/generation-parameters.ts'
import {
  createEmbeddedDriver,
  type EmbeddedDriver,
  type EmbeddedDriverDependencies,
} from '../src/drivers/embedded/embedded-driver.ts'
import type { OpenSound, OpenVideo } from '../src/drivers/embedded/opened-video.ts'
import type { ReadImage } from '../src/drivers/embedded/render.ts'
import { startContext } from './start-context.ts'

/** 480p at 16:9, the smallest size that a client can request. */
export const small = { width: 854, height: 480 }
export const signal = new AbortController().signal

/** An embedded driver with its own folder, and functions that call it as the dispatcher does. */
export interface EmbeddedRig extends AsyncDisposable {
  driver: EmbeddedDriver
  dataDir: string
  /** Errors reported to the operator. */
  errors: string[]
  /** Polls until the outcome satisfies the predicate. */
  until(request: GenerationRequest, isEnough: (outcome: PollOutcome) => boolean): Promise<PollOutcome>
  /** Runs a request to completion: starts, polls, collects and discards it. */
  make(request: GenerationRequest): Promise<Rendered>
}

export interface Rendered {
  bytes: Buffer
  contentType: string
  seed: number | undefined
}

const pollMs = 20

export function openRig(dependencies: Partial<EmbeddedDriverDependencies> = {}): EmbeddedRig {
  const dataDir = dependencies.dataDir ?? mkdtempSync(path.join(tmpdir(), 'embedded-driver-'))
  const errors: string[] = []
  let wake: (() => void) | undefined
  const driver = createEmbeddedDriver({
    dataDir,
    slots: 1,
    readImage: readTestImage,
    openVideo: openTestVideo,
    openSound: openTestSound,
    hasVideoDecoder: () => true,
    onChanged: () => wake?.(),
    onError: (_attemptId, error) => errors.push(error),
    ...dependencies,
  })

  async function until(request: GenerationRequest, isEnough: (outcome: PollOutcome) => boolean): Promise<PollOutcome> {
    for (;;) {
      const outcome = await driver.poll({ render: request.attemptId }, request, signal)
      if (isEnough(outcome)) return outcome
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, pollMs)
      })
    }
  }

  async function make(request: GenerationRequest): Promise<Rendered> {
    const operation = await driver.start(request, startContext)
    const outcome = await until(request, hasEnded)
    if (outcome.state !== 'succeeded') throw new Error([JSON.stringify(outcome), ...errors].join('\n'))
    const [output] = outcome.outputs
    const bytes = await buffer(await driver.fetchOutput(output, signal))
    await driver.discard?.(operation, request)
    return { bytes, contentType: output.contentType, seed: output.seed }
  }

  return {
    driver,
    dataDir,
    errors,
    until,
    make,
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true })
    },
  }
}

let attempts = 0

/** Creates a request with a new attempt id, by default for a video of the smallest size. */
export function requestOf(parameters: GenerationParameters, overrides: Partial<GenerationRequest> = {}): GenerationRequest {
  attempts++
  return { attemptId: `att_${attempts}`, model: 'any', object: 'video', size: small, parameters, simulate: null, ...overrides }
}

export function hasEnded({ state }: PollOutcome): boolean {
  return state === 'succeeded' || state === 'failed'
}

/** Whether frames are being rendered, so that the setup is complete. */
export function hasProgress(outcome: PollOutcome): boolean {
  return outcome.state === 'running' && (outcome.progress ?? 0) > 0
}

/**
 * Reads a test image by name, in any size: `stripes`, `rings` or a plain color. The name `refused`
 * throws.
 */
export async function readTestImage(source: string, { width, height, position }: Parameters<ReadImage>[1]) {
  if (source === 'refused') {
    throw Object.assign(new Error(`${position}: the image is damaged`), { name: 'InvalidImage', isTransient: false })
  }
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rgba.set(colorOf(source, x / width, y / height), (y * width + x) * 4)
  }
  return { width, height, rgba }
}

/**
 * Opens a two-second video without a decoder.
 *
 * - As a reference, its frames have the colors of `plainColors`, in order.
 * - As an input, its frames have the value 100 in all samples, and its last frame is black.
 * - Names with a special meaning: `long` lasts ten minutes, `sounding` has a tone, `moving` shows a
 *   moving bar, and the decoder of `broken` fails.
 */
const openTestVideo: OpenVideo = async (source, { position, signal }) => {
  const read = (color: string, size: PixelSize) => readTestImage(color, { ...size, fit: 'cover', position, signal })
  return {
    seconds: source === 'long' ? 600 : 2,
    hasSound: source === 'sounding',
    soundCommand: (seconds) => toneCommand(seconds, 440),
    lastFrame: (size) => read('black', size),
    async firstFrames({ frames }) {
      const size = { width: 160, height: 90 }
      const images = await Promise.all(Object.keys(plainColors).map((color) => read(color, size)))
      const rgba = Buffer.concat(images.map((image) => image.rgba)).subarray(0, frames * 4 * size.width * size.height)
      return { ...size, frames: Math.min(frames, images.length), rgba: new Uint8Array(rgba) }
    },
    videoFramesCommand({ width, height, frames }) {
      if (source === 'moving') return movingBarCommand(width, height, frames)
      const end = source === 'broken' ? 'process.exit(1)' : ''
      const write = `process.stdout.write(Buffer.alloc(${frames * width * height * 1.5}, 100), () => { ${end} })`
      return [process.execPath, '-e', source === 'broken' ? end : write]
    },
    async [Symbol.asyncDispose]() {},
  }
}

/**
 * Returns a command that writes frames in which a bright bar with soft edges moves to the right.
 */
function movingBarCommand(width: number, height: number, frames: number): [string, ...string[]] {
  const light = `40 + 180 * Math.exp(-(((x / ${width}) - 0.2 - 0.6 * frame / ${frames}) ** 2) / 0.01)`
  const luma = `Array.from({ length: ${width * height} }, (_, at) => { const x = at % ${width}; return ${light} })`
  const frame = `Buffer.concat([Buffer.from(${luma}), Buffer.alloc(${(width * height) / 2}, 128)])`
  return [process.execPath, '-e', `for (let frame = 0; frame < ${frames}; frame++) process.stdout.write(${frame})`]
}

/** Opens an audio file with one second of an 880 Hz tone. */
const openTestSound: OpenSound = async () => ({
  seconds: 1,
  soundCommand: (seconds) => toneCommand(seconds, 880),
  async [Symbol.asyncDispose]() {},
})

/** Returns a command that writes a tone. */
function toneCommand(seconds: number, hertz: number): [string, ...string[]] {
  const sample = `0.5 * Math.sin(2 * Math.PI * ${hertz} * (index >> 1) / 48000)`
  const samples = `Float32Array.from({ length: ${Math.round(seconds * 48_000) * 2} }, (_, index) => ${sample})`
  return [process.execPath, '-e', `process.stdout.write(Buffer.from(${samples}.buffer))`]
}

const plainColors: Record<string, [number, number, number]> = {
  red: [230, 20, 30],
  white: [255, 255, 255],
  black: [0, 0, 0],
}

function colorOf(name: string, x: number, y: number): [number, number, number, number] {
  const plain = plainColors[name]
  if (plain !== undefined) return [...plain, 255]
  const wave = name === 'stripes' ? Math.sin(x * 20) : Math.sin(Math.hypot(x - 0.5, y - 0.5) * 30)
  const light = 128 + 90 * wave
  return name === 'stripes' ? [light, 200 - light / 2, 60 + 120 * y, 255] : [60 + 120 * x, light, 240 - light, 255]
}
