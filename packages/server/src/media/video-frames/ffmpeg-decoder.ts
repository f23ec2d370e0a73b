import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { PixelSize } from '@framegate/contract'
import { limitAndRunScript } from '../../lib/limited-child/start-child.ts'
import type { AudioType, VideoType } from '../../lib/media-type.ts'

// Decodes untrusted videos and sounds with the ffmpeg on PATH, within limits of memory and CPU
// time. The command specifies the demuxer and allows only files, so that a file cannot refer to
// other resources.

export interface VideoFile {
  path: string
  contentType: VideoType
}

/**
 * Outcome of decoding. `missing`: ffmpeg is not on PATH. `failed`: ffmpeg could not decode the file
 * within its limits, or the signal has aborted.
 */
export type DecodeOutcome = 'done' | 'missing' | 'failed'

export type Command = [string, ...string[]]

const program = 'ffmpeg'
const memoryKilobytesMax = 1024 * 1024
const cpuSecondsMax = { image: 20, clip: 60, allFrames: 300 }
const decodeMsMax = 120_000
const imageWidthMax = 1920
/** Number of seconds at the end of a video in which the last frame is searched for. */
const tailSeconds = 3

export function hasVideoDecoder(): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Writes the last frame as a PNG. */
export function decodeLastFrame(file: VideoFile, targetPath: string, signal: AbortSignal): Promise<DecodeOutcome> {
  const filter = `scale='min(${imageWidthMax},iw)':-2`
  // Each frame overwrites the file of the previous one, so the last frame remains.
  const output = ['-c:v', 'png', '-f', 'image2', '-update', '1', '-y', `file:${targetPath}`]
  return run(buildDecodeCommand(file, { cpu: 'image', start: ['-sseof', `-${tailSeconds}`], filter, output }), signal)
}

export interface RequestedFrames {
  frames: number
  framesPerSecond: number
}

/** Writes the first frames as RGBA of this size, one after another. */
export function decodeFirstFrames(
  file: VideoFile,
  { frames, framesPerSecond, width, height, targetPath }: RequestedFrames & PixelSize & { targetPath: string },
  signal: AbortSignal,
): Promise<DecodeOutcome> {
  const filter = `fps=${framesPerSecond},scale=${width}:${height}:flags=area,format=rgba`
  const output = ['-frames:v', String(frames), '-f', 'rawvideo', '-y', `file:${targetPath}`]
  return run(buildDecodeCommand(file, { cpu: 'clip', filter, output }), signal)
}

/**
 * Returns the command that writes the first `frames` frames of a video to its standard output, as
 * limited-range BT.709 I420, scaled and cropped to the size.
 */
export function videoFramesCommand(
  file: VideoFile,
  displayedSize: PixelSize,
  { frames, framesPerSecond, width, height }: RequestedFrames & PixelSize,
): Command {
  const scale = Math.max(width / displayedSize.width, height / displayedSize.height)
  const evenSide = (side: number, sideMin: number): number => Math.max(sideMin, 2 * Math.round((side * scale) / 2))
  const scaledSize = `${evenSide(displayedSize.width, width)}:${evenSide(displayedSize.height, height)}`
  const colors = 'out_color_matrix=bt709:out_range=tv'
  const filter = `fps=${framesPerSecond},scale=${scaledSize}:${colors},crop=${width}:${height},format=yuv420p`
  const output = ['-frames:v', String(frames), '-f', 'rawvideo', 'pipe:1']
  return buildDecodeCommand(file, { cpu: 'allFrames', filter, output })
}

export interface MediaFile {
  path: string
  contentType: VideoType | AudioType
}

/**
 * Returns the command that writes the first seconds of a file's sound to its standard output:
 * stereo, 32-bit floats, 48 kHz.
 */
export function soundCommand(file: MediaFile, seconds: number): Command {
  const output = ['-t', seconds.toFixed(3), '-ac', '2', '-ar', '48000', '-f', 'f32le', 'pipe:1']
  return buildDecodeCommand(file, { cpu: 'allFrames', stream: '0:a:0', output })
}

interface Decoding {
  cpu: keyof typeof cpuSecondsMax
  start?: readonly string[]
  /** Default: the first video stream. */
  stream?: string
  filter?: string
  output: readonly string[]
}

const demuxers: Readonly<Record<VideoType | AudioType, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/mp4': 'mov',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
}

/**
 * Returns the command that decodes a track of the file, by default the video track. Its arguments
 * have `start` before the input, and `output` after the filter.
 */
export function buildDecodeCommand({ path: from, contentType }: MediaFile, decoding: Decoding): Command {
  const { cpu, start = [], stream = '0:v:0', filter, output } = decoding
  const demuxer = demuxers[contentType]
  const readArguments = ['-nostdin', '-hide_banner', '-v', 'quiet', '-threads', '1', '-protocol_whitelist', 'file', '-f', demuxer]
  const args = [
    ...readArguments,
    ...start,
    '-i',
    `file:${from}`,
    '-map',
    stream,
    ...(filter === undefined ? [] : ['-vf', filter]),
    ...output,
  ]
  const limits = [String(memoryKilobytesMax), String(cpuSecondsMax[cpu])]
  return ['/bin/sh', '-c', limitAndRunScript, 'sh', ...limits, 'env', 'MALLOC_ARENA_MAX=1', program, ...args]
}

async function run([shell, ...args]: Command, signal: AbortSignal): Promise<DecodeOutcome> {
  const { PATH = '' } = process.env
  const child = spawn(shell, args, {
    stdio: 'ignore',
    env: { PATH },
    signal: AbortSignal.any([signal, AbortSignal.timeout(decodeMsMax)]),
    killSignal: 'SIGKILL',
  })
  return await new Promise((resolve) => {
    child.on('error', () => resolve('failed'))
    // The shell exits with 127 if it does not find the program.
    child.on('exit', (code) => resolve(code === 0 ? 'done' : code === 127 ? 'missing' : 'failed'))
  })
}
