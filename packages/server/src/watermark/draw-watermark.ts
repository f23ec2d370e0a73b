import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fileErrorExitCode } from '../lib/file-error.ts'
import { Semaphore } from '../lib/semaphore.ts'
import type { ProbedMedia } from '../media/probe-media.ts'
import { childEnvironment } from './child-environment.ts'
import { ffmpegWatermark, fileErrorPattern } from './ffmpeg-watermark.ts'
import { findVideoEncoder, type VideoEncoderSetting } from './find-video-encoder.ts'
import { watermarkLine, type WatermarkDesign } from './watermark-design.ts'

/** Error for a file to which no encoder can add a watermark. */
export class WatermarkError extends Error {
  override readonly name = 'WatermarkError'
}

/**
 * Writes a watermarked copy of a file. Throws a `WatermarkError` for a problem of the file, another
 * error for a problem of the machine, and the signal's reason as soon as it aborts.
 */
export type DrawWatermark = (media: SourceMedia, files: WatermarkFiles, signal: AbortSignal) => Promise<void>

type SourceMedia = Pick<ProbedMedia, 'kind' | 'width' | 'height'>

interface WatermarkFiles {
  from: string
  to: string
  design: WatermarkDesign
}

export interface DrawWatermarkOptions {
  encoder?: VideoEncoderSetting
  /** Time limit for one file. */
  timeoutMs?: number
}

/** Default time limit: enough for a long video at the highest resolution on a slow machine. */
const watermarkMsMax = 15 * 60_000
const heapMegabytesMax = 256
/**
 * Maximum size of the child's data segment, in kilobytes, including libraries. A 4K video takes
 * about 750 MB. Node also reserves 512 MB of address space for machine code.
 */
const memoryKilobytesMax = 3 * 1024 * 1024
const errorCharactersMax = 500
/** Exit codes of the shell for a program that cannot be run or does not exist. */
const notRunExitCodes = new Set<number | null>([126, 127])

/**
 * Disables core dumps, limits memory, lowers the priority, and makes the kernel kill the child
 * first if the machine runs out of memory.
 */
const limitAndDrawScript =
  '{ ulimit -c 0; ulimit -d "$1"; renice -n 10 -p $$; echo 1000 >/proc/self/oom_score_adj; } >/dev/null 2>&1; shift; exec "$@"'

/**
 * Returns a function that processes each file in a child process of its own, because files are
 * untrusted. It runs at most one child process for every two cores.
 */
export function createDrawWatermark({
  encoder: setting = 'auto',
  timeoutMs = watermarkMsMax,
}: DrawWatermarkOptions = {}): DrawWatermark {
  const semaphore = new Semaphore(Math.max(1, Math.floor(availableParallelism() / 2)))
  return async (media, files, signal) => {
    if (!(await semaphore.acquire(signal))) throw signal.reason
    try {
      const encoder = media.kind === 'video' ? await findVideoEncoder(setting) : undefined
      const watermarkProcess =
        encoder?.program === 'ffmpeg' ? await ffmpegWatermark(encoder.codec, media, files) : nodeWatermark(media, files)
      await runProcess(watermarkProcess, timeoutMs, signal)
    } finally {
      semaphore.release()
    }
  }
}

interface WatermarkProcess {
  command: string[]
  /** Bytes that are written to the child's stdin. */
  input: Uint8Array
  /** Whether the child's stdin stays open until the service ends. */
  staysOpen?: true
}

function nodeWatermark({ kind }: SourceMedia, { from, to, design }: WatermarkFiles): WatermarkProcess {
  const script = fileURLToPath(new URL('./watermark-child.ts', import.meta.url))
  const options = [`--max-old-space-size=${heapMegabytesMax}`, '--expose-gc', '--disable-warning=ExperimentalWarning']
  const command = [process.execPath, ...options, script, kind, from, to]
  return { command, input: Buffer.from(`${watermarkLine(design)}\n`), staysOpen: true }
}

async function runProcess(
  { command, input, staysOpen }: WatermarkProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const limitedCommand = ['/bin/sh', '-c', limitAndDrawScript, 'sh', String(memoryKilobytesMax), ...command]
  const [program = '', ...args] = process.platform === 'linux' ? limitedCommand : command
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], env: childEnvironment() })
  const kill = (): boolean => child.kill('SIGKILL')
  let isTooSlow = false
  const timeout = setTimeout(() => {
    isTooSlow = true
    kill()
  }, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  let errorText = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(0, errorCharactersMax)
  })
  // A broken pipe only means that the child has ended.
  child.stdin.on('error', () => {})
  if (staysOpen) child.stdin.write(input)
  else child.stdin.end(input)
  try {
    const [code, signalName] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (...end) => resolve(end))
    })
    signal.throwIfAborted()
    if (code === 0) return
    const message = `the watermark could not be drawn: ${errorText.trim() || `the watermark process ended with ${signalName ?? `code ${code}`}`}`
    const isFileError = code === fileErrorExitCode || fileErrorPattern.test(errorText)
    // The kernel sends SIGKILL if the machine runs out of memory. The child's own limits end it
    // with other signals.
    const isMachineError = isFileError || notRunExitCodes.has(code) || (signalName === 'SIGKILL' && !isTooSlow)
    throw isMachineError ? new Error(message) : new WatermarkError(message)
  } finally {
    clearTimeout(timeout)
    signal.removeEventListener('abort', kill)
  }
}
