import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { errorCodeOf } from '../lib/error-code.ts'

/** The program is searched for on PATH. */
export const ffmpegProgram = 'ffmpeg'

const listMsMax = 10_000
const listBytesMax = 4 * 1024 * 1024

/**
 * H.264 encoders in order of preference. OpenH264 comes first, because it has the permissive BSD
 * license. x264 is under the GPL, and used only if the installed ffmpeg has no other encoder.
 */
const h264Encoders = ['libopenh264', 'libx264'] as const
export type H264Encoder = (typeof h264Encoders)[number]

/**
 * Returns arguments for about the same quality with both encoders. x264 has a constant-quality
 * mode; for OpenH264, which has none, the bit rate is derived from the size and the frame rate.
 */
export function qualityArguments(
  encoder: H264Encoder,
  size: { width: number; height: number },
  framesPerSecond: number,
): string[] {
  if (encoder === 'libx264') return ['-preset', 'superfast', '-crf', '23', '-bf', '0', '-profile:v', 'high']
  return ['-b:v', String(Math.round(size.width * size.height * framesPerSecond * 0.12)), '-profile:v', 'high']
}

let encoderPromise: Promise<H264Encoder> | undefined

/**
 * Returns the H.264 encoder of the ffmpeg on PATH. Throws an error if there is none. The caller
 * puts its message into a sentence. Only successes are cached.
 */
export async function findH264Encoder(): Promise<H264Encoder> {
  encoderPromise ??= probeFfmpeg().catch((error: unknown) => {
    encoderPromise = undefined
    throw error
  })
  return await encoderPromise
}

async function probeFfmpeg(): Promise<H264Encoder> {
  const list = await listEncoders()
  const encoder = h264Encoders.find((name) => new RegExp(`^ V\\S+ ${name} `, 'm').test(list))
  if (encoder === undefined) throw new Error(`the ffmpeg on PATH has none of the H.264 encoders ${h264Encoders.join(', ')}`)
  return encoder
}

async function listEncoders(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(ffmpegProgram, ['-hide_banner', '-encoders'], {
      timeout: listMsMax,
      maxBuffer: listBytesMax,
    })
    return stdout
  } catch (cause) {
    const isMissing = errorCodeOf(cause) === 'ENOENT'
    throw new Error(isMissing ? 'there is no ffmpeg on PATH' : 'the ffmpeg on PATH does not respond', { cause })
  }
}
