import { spawn } from 'node:child_process'
import { limitAndRun } from '../../lib/limited-child/start-child.ts'
import type { VideoType } from '../../lib/media-type.ts'

export type WhichFrame = 'first' | 'last'

export interface FrameRequest {
  from: string
  to: string
  contentType: VideoType
  which: WhichFrame
}

/** `missing`: there is no ffmpeg on PATH. `failed`: it cannot decode the file within its limits. */
export type FrameEnd = 'done' | 'missing' | 'failed'

const cpuSecondsMax = 20
const memoryKilobytesMax = 1024 * 1024
const extractMsMax = 60_000
const widthMax = 1920
/** The last frame is searched for in this many seconds before the end. */
const tailSeconds = 3

/**
 * Decodes one frame of a video into a PNG, in an ffmpeg from PATH within limits of memory and CPU
 * time. The demuxer is given, and it may open files only: the video can refer to nothing else.
 */
export async function extractFrame(request: FrameRequest, signal: AbortSignal): Promise<FrameEnd> {
  const { from, to, contentType, which } = request
  const demuxer = contentType === 'video/webm' ? 'matroska' : 'mov'
  const reading = ['-nostdin', '-hide_banner', '-v', 'quiet', '-threads', '1', '-protocol_whitelist', 'file', '-f', demuxer]
  const start = which === 'last' ? ['-sseof', `-${tailSeconds}`] : []
  const input = ['-i', `file:${from}`, '-map', '0:v:0', '-vf', `scale='min(${widthMax},iw)':-2`]
  const count = which === 'first' ? ['-frames:v', '1'] : []
  // The last frame written stays.
  const output = ['-c:v', 'png', '-f', 'image2', '-update', '1', '-y', `file:${to}`]
  const args = [...reading, ...start, ...input, ...count, ...output]
  const limits = [String(memoryKilobytesMax), String(cpuSecondsMax)]
  const { PATH = '' } = process.env
  const child = spawn('/bin/sh', ['-c', limitAndRun, 'sh', ...limits, 'ffmpeg', ...args], {
    stdio: 'ignore',
    env: { PATH, MALLOC_ARENA_MAX: '1' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(extractMsMax)]),
    killSignal: 'SIGKILL',
  })
  return await new Promise((resolve) => {
    child.on('error', () => resolve('failed'))
    // 127: the shell found no such program.
    child.on('exit', (code) => resolve(code === 0 ? 'done' : code === 127 ? 'missing' : 'failed'))
  })
}
