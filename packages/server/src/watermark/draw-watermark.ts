import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fileErrorExitCode } from '../lib/file-error.ts'
import { Semaphore } from '../lib/semaphore.ts'
import type { ProbedMedia } from '../media/probe-media.ts'
import { childEnvironment } from './child-environment.ts'
import { ffmpegMarking, fileErrorPattern } from './ffmpeg-marking.ts'
import { findVideoEncoder, type VideoEncoderSetting } from './find-video-encoder.ts'
import { watermarkLine, type WatermarkDesign } from './watermark-design.ts'

/** The file itself cannot be watermarked, whatever the encoder. */
export class WatermarkError extends Error {
  override readonly name = 'WatermarkError'
}

/**
 * Writes a watermarked copy of a file. Throws a `WatermarkError` for a problem of the file, and
 * another error for a problem of the machine. When the signal aborts, throws its reason at once.
 */
export type DrawWatermark = (media: MarkedMedia, files: MarkedFiles, signal: AbortSignal) => Promise<void>

type MarkedMedia = Pick<ProbedMedia, 'kind' | 'width' | 'height'>

interface MarkedFiles {
  from: string
  to: string
  design: WatermarkDesign
}

export interface DrawWatermarkOptions {
  /** Encoder for videos. */
  encoder?: VideoEncoderSetting
  /** Time limit for one file. */
  msMax?: number
}

/** Enough for a long video at the highest resolution on a slow machine. */
const markMsMax = 15 * 60_000
const heapMegabytesMax = 256
/**
 * Limit of the child's data segment, libraries included. A 4K video takes about 750 MB. Another 512
 * MB count too, which are reserved for machine code and never used.
 */
const memoryKilobytesMax = 3 * 1024 * 1024
const complaintCharactersMax = 500
/** Exit codes of the shell: the program cannot be run, or does not exist. */
const notRunExitCodes = new Set<number | null>([126, 127])

/**
 * Disables core dumps, limits memory, and makes the child the kernel's first choice to kill when
 * the machine runs out of memory. The decoders of images start in the same way.
 */
const limitAndRun =
  '{ ulimit -c 0; ulimit -d "$1"; renice -n 10 -p $$; echo 1000 >/proc/self/oom_score_adj; } >/dev/null 2>&1; shift; exec "$@"'

/**
 * Processes each file in a child process of its own, because its contents are untrusted. The number
 * of concurrent child processes is half the number of cores.
 */
export function createDrawWatermark({ encoder: setting = 'auto', msMax = markMsMax }: DrawWatermarkOptions = {}): DrawWatermark {
  const semaphore = new Semaphore(Math.max(1, Math.floor(availableParallelism() / 2)))
  return async (media, files, signal) => {
    if (!(await semaphore.acquire(signal))) throw signal.reason
    try {
      const encoder = media.kind === 'video' ? await findVideoEncoder(setting) : undefined
      const marking = encoder?.program === 'ffmpeg' ? await ffmpegMarking(encoder.codec, media, files) : nodeMarking(media, files)
      await runMarker(marking, msMax, signal)
    } finally {
      semaphore.release()
    }
  }
}

interface Marking {
  command: string[]
  /** Written to its stdin. */
  input: Uint8Array
  /** Keeps its stdin open until the service ends. */
  staysOpen?: true
}

function nodeMarking({ kind }: MarkedMedia, { from, to, design }: MarkedFiles): Marking {
  const script = fileURLToPath(new URL('./watermark-child.ts', import.meta.url))
  const options = [`--max-old-space-size=${heapMegabytesMax}`, '--expose-gc', '--disable-warning=ExperimentalWarning']
  const command = [process.execPath, ...options, script, kind, from, to]
  return { command, input: Buffer.from(`${watermarkLine(design)}\n`), staysOpen: true }
}

async function runMarker({ command, input, staysOpen }: Marking, msMax: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const limited = ['/bin/sh', '-c', limitAndRun, 'sh', String(memoryKilobytesMax), ...command]
  const [program = '', ...args] = process.platform === 'linux' ? limited : command
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], env: childEnvironment() })
  const kill = (): boolean => child.kill('SIGKILL')
  let isTooSlow = false
  const tooLate = setTimeout(() => {
    isTooSlow = true
    kill()
  }, msMax)
  signal.addEventListener('abort', kill, { once: true })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, complaintCharactersMax)
  })
  // A broken pipe only means that the child has ended.
  child.stdin.on('error', () => {})
  if (staysOpen) child.stdin.write(input)
  else child.stdin.end(input)
  try {
    const [code, by] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (...end) => resolve(end))
    })
    signal.throwIfAborted()
    if (code === 0) return
    const message = `the watermark could not be drawn: ${complaint.trim() || `the watermark process ended with ${by ?? `code ${code}`}`}`
    const isFileError = code === fileErrorExitCode || fileErrorPattern.test(complaint)
    // The kernel sends SIGKILL when the machine runs out of memory. The limits of the child end it
    // with other signals.
    const isOfMachine = isFileError || notRunExitCodes.has(code) || (by === 'SIGKILL' && !isTooSlow)
    throw isOfMachine ? new Error(message) : new WatermarkError(message)
  } finally {
    clearTimeout(tooLate)
    signal.removeEventListener('abort', kill)
  }
}
