import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findH264Encoder, type H264Encoder } from './ffmpeg-program.ts'
import { messageOf } from '../lib/message-of.ts'
import { StartupError } from '../lib/startup-error.ts'
import { childEnvironment } from './child-environment.ts'

/** `auto`: the WebCodecs package if it is installed, otherwise the ffmpeg on PATH. */
export type VideoEncoderSetting = 'auto' | 'webcodecs' | 'ffmpeg'

export type VideoEncoder = { program: 'webcodecs' } | { program: 'ffmpeg'; codec: H264Encoder }

const packageName = '@napi-rs/webcodecs'
const loadMsMax = 20_000

/**
 * Finds an encoder for videos that get a watermark. Throws a `StartupError` if this machine has
 * none. Failures are not cached, so that an encoder can be installed later.
 */
export async function findVideoEncoder(setting: VideoEncoderSetting): Promise<VideoEncoder> {
  const reasons: string[] = []
  for (const program of setting === 'auto' ? (['webcodecs', 'ffmpeg'] as const) : [setting]) {
    try {
      return await finderByName[program]()
    } catch (error) {
      reasons.push(messageOf(error))
    }
  }
  const subject = setting === 'auto' ? 'Watermarks cannot be drawn on videos:' : `The encoder is set to "${setting}", but`
  throw new StartupError(`${subject} ${reasons.join(', and ')}.`)
}

const finderByName = { webcodecs: findWebCodecs, ffmpeg: findFfmpeg }

async function findFfmpeg(): Promise<VideoEncoder> {
  return { program: 'ffmpeg', codec: await findH264Encoder() }
}

let webCodecsPromise: Promise<unknown> | undefined

async function findWebCodecs(): Promise<VideoEncoder> {
  webCodecsPromise ??= loadWebCodecs().catch((cause: unknown) => {
    webCodecsPromise = undefined
    throw new Error(`the package ${packageName} cannot be loaded`, { cause })
  })
  await webCodecsPromise
  return { program: 'webcodecs' }
}

/**
 * Loads the package in a child process, to test whether that works. In this process, its native
 * code would take memory.
 */
async function loadWebCodecs(): Promise<unknown> {
  const load = ['--input-type=module', '--eval', `await import(${JSON.stringify(import.meta.resolve(packageName))})`]
  return await promisify(execFile)(process.execPath, load, { timeout: loadMsMax, env: childEnvironment() })
}
