import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Turns } from '../lib/turns.ts'
import type { ProbedMedia } from '../media/probe-media.ts'
import { ffmpegMarking } from './ffmpeg-marking.ts'

/** Writes a copy of the file that bears the watermark. Throws what went wrong, or the signal's reason at once when it aborts. */
export type DrawWatermark = (media: MarkedMedia, from: string, to: string, signal: AbortSignal) => Promise<void>

type MarkedMedia = Pick<ProbedMedia, 'kind' | 'width' | 'height'>

export interface DrawWatermarkOptions {
  /** With `ffmpeg` films are encoded by the ffmpeg on PATH, and the WebCodecs package need not even be installed. */
  encoder?: 'webcodecs' | 'ffmpeg'
  /** For one file. */
  msMax?: number
}

/** Of a long film at the highest resolution on a slow machine. */
const markMsMax = 15 * 60_000
const heapMegabytesMax = 256
/** The libraries' memory included: a film of 4K takes about 750 MB, and 512 are set apart for machine code and never used. */
const memoryKilobytesMax = 3 * 1024 * 1024
const complaintCharactersMax = 500

/** As with the decoders of pictures: no core dumps, a bound of memory, and the first to go where the machine runs out of it. */
const limitAndRun =
  '{ ulimit -c 0; ulimit -d "$1"; renice -n 10 -p $$; echo 1000 >/proc/self/oom_score_adj; } >/dev/null 2>&1; shift; exec "$@"'
/** Nothing else of the environment, which holds the service's secrets. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

/** Each file in a child process of its own, half as many at a time as there are cores: what it decodes came from strangers. */
export function createDrawWatermark({ encoder = 'webcodecs', msMax = markMsMax }: DrawWatermarkOptions = {}): DrawWatermark {
  const turns = new Turns(Math.max(1, Math.floor(availableParallelism() / 2)))
  return async (media, from, to, signal) => {
    if (!(await turns.take(signal))) throw signal.reason
    try {
      const usesFfmpeg = encoder === 'ffmpeg' && media.kind === 'video'
      const { command, input } = usesFfmpeg ? await ffmpegMarking(media, from, to) : nodeMarking(media, from, to)
      await runMarker(command, input, msMax, signal)
    } finally {
      turns.giveBack()
    }
  }
}

function nodeMarking({ kind }: MarkedMedia, from: string, to: string): { command: string[]; input: null } {
  const script = fileURLToPath(new URL('./marker-child.ts', import.meta.url))
  const options = [`--max-old-space-size=${heapMegabytesMax}`, '--disable-warning=ExperimentalWarning']
  return { command: [process.execPath, ...options, script, kind, from, to], input: null }
}

async function runMarker(command: string[], input: Uint8Array | null, msMax: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const limited = ['/bin/sh', '-c', limitAndRun, 'sh', String(memoryKilobytesMax), ...command]
  const [program = '', ...args] = process.platform === 'linux' ? limited : command
  const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], env })
  const kill = (): boolean => child.kill('SIGKILL')
  const tooLate = setTimeout(kill, msMax)
  signal.addEventListener('abort', kill, { once: true })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, complaintCharactersMax)
  })
  // A pipe that breaks is only the sign of a child that has ended.
  child.stdin.on('error', () => {})
  // Left open where there is nothing to read: it closes with the service.
  if (input !== null) child.stdin.end(input)
  try {
    const end = await new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, by) => resolve(code === 0 ? '' : complaint || `the marker ended by ${by ?? `code ${code}`}`))
    })
    signal.throwIfAborted()
    if (end !== '') throw new Error(`the watermark could not be drawn: ${end.trim()}`)
  } finally {
    clearTimeout(tooLate)
    signal.removeEventListener('abort', kill)
  }
}
