import { spawn } from 'node:child_process'
import type { PixelSize } from '@framegate/contract'
import { lowerPriority } from '../../lib/lower-priority.ts'
import { buildDecodeCommand, type Command, type VideoFile } from './ffmpeg-decoder.ts'

/** A video whose frames are read, with its properties from a probe. */
export interface DisplayedVideo extends VideoFile {
  seconds: number
  /** Whether its colors have a high dynamic range, and must be mapped to sRGB. */
  isHdr: boolean
}

/**
 * `missing`: there is no ffmpeg on PATH. `killed`: another process has killed the decoder, such as
 * the kernel when the machine runs out of memory.
 */
export type ReadFramesOutcome = { frames: Uint8Array } | { problem: 'missing' | 'killed' | 'undecodable' }

/** Selection of the frames to read. */
export type FrameChoice =
  /** Frames at this interval, from the start of the video up to this time. */
  | { from: 'start'; everySeconds: number; forSeconds: number }
  /** This many frames, each from the middle of an equal part of the video. */
  | { from: 'everywhere'; frames: number }
  /** The key frame at or before this time. */
  | { from: 'key-frame'; atSeconds: number }

const readMsMax = 60_000

/**
 * Decodes frames to packed RGB of this size, upright. Reads at most `framesMax` frames, or fewer if
 * the video has fewer or is incomplete. Throws the signal's reason if it aborts.
 */
export async function readFrames(
  video: DisplayedVideo,
  requested: { choice: FrameChoice; framesMax: number } & PixelSize,
  signal: AbortSignal,
): Promise<ReadFramesOutcome> {
  const end = await readOutput(commandOf(video, requested, video.isHdr), bytesMaxOf(requested), signal)
  // The installed ffmpeg may lack the filters for tone mapping. The frames are then read without
  // them, and the colors look slightly flat.
  if (!video.isHdr || 'frames' in end) return end
  return await readOutput(commandOf(video, requested, false), bytesMaxOf(requested), signal)
}

function bytesMaxOf({ framesMax, width, height }: { framesMax: number } & PixelSize): number {
  return framesMax * frameBytesOf({ width, height })
}

function frameBytesOf({ width, height }: PixelSize): number {
  return 3 * width * height
}

function commandOf(
  video: DisplayedVideo,
  { choice, framesMax, width, height }: { choice: FrameChoice; framesMax: number } & PixelSize,
  mapsTones: boolean,
): Command {
  const scaleFilter = `scale=${width}:${height}:flags=area`
  const filter = [...filtersOf(choice, video.seconds), scaleFilter, ...(mapsTones ? toneMapping : []), 'format=rgb24'].join(',')
  const output = ['-fps_mode', 'passthrough', '-frames:v', String(framesMax), '-f', 'rawvideo', 'pipe:1']
  return buildDecodeCommand(video, { cpu: 'image', start: startOf(choice), filter, output })
}

function startOf(choice: FrameChoice): string[] {
  switch (choice.from) {
    case 'start':
      return ['-t', String(choice.forSeconds)]
    case 'key-frame':
      return ['-noaccurate_seek', '-skip_frame', 'nokey', '-ss', String(choice.atSeconds)]
    default:
      return []
  }
}

function filtersOf(choice: FrameChoice, seconds: number): string[] {
  switch (choice.from) {
    case 'start':
      return [`select='isnan(prev_selected_t)+gte(t-prev_selected_t,${choice.everySeconds})'`]
    case 'everywhere':
      // Rounds to the nearest frame, so that each output frame is from the middle of its interval.
      return [`fps=fps=${choice.frames / seconds}:start_time=0:round=near`]
    default:
      return []
  }
}

/** Filters that convert PQ or HLG in BT.2020 to BT.709 through linear light. */
const toneMapping = [
  'zscale=transfer=linear:npl=203',
  'format=gbrpf32le',
  'zscale=primaries=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=transfer=bt709:matrix=bt709:range=full',
]

async function readOutput([program, ...args]: Command, bytesMax: number, signal: AbortSignal): Promise<ReadFramesOutcome> {
  signal.throwIfAborted()
  const { PATH = '' } = process.env
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { PATH } })
  lowerPriority(child.pid)
  let isTooSlow = false
  const kill = (): void => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isTooSlow = true
    kill()
  }, readMsMax)
  signal.addEventListener('abort', kill, { once: true })
  const frames = new Uint8Array(bytesMax)
  let filledBytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, bytesMax - filledBytes)
    frames.set(part, filledBytes)
    filledBytes += part.length
  })
  try {
    const [code, signalName] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (...end) => resolve(end))
    })
    signal.throwIfAborted()
    if (filledBytes > 0) return { frames: frames.subarray(0, filledBytes) }
    if (code === notFoundExitCode) return { problem: 'missing' }
    return { problem: signalName === 'SIGKILL' && !isTooSlow ? 'killed' : 'undecodable' }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

/** Exit code of the shell when it does not find the program. */
const notFoundExitCode = 127
