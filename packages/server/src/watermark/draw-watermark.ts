import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Turns } from '../lib/turns.ts'

/** Writes a copy of the file that bears the watermark. Throws what went wrong, or the signal's reason at once when it aborts. */
export type DrawWatermark = (object: 'image' | 'video', from: string, to: string, signal: AbortSignal) => Promise<void>

/** Of a long film at the highest resolution on a slow machine. */
const markMsMax = 15 * 60_000
const heapMegabytesMax = 256
/** The libraries' memory included: a film of 4K takes about 900 MB, and 512 are set apart for machine code and never used. */
const memoryKilobytesMax = 3 * 1024 * 1024
const complaintCharactersMax = 500

/** As with the decoders of pictures: no core dumps, a bound of memory, and the first to go where the machine runs out of it. */
const limitAndRun = '{ ulimit -c 0; ulimit -d "$1"; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; shift; exec "$@"'
/** Nothing else of the environment, which holds the service's secrets. */
const passedOn = ['LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

/** Each file in a child process of its own, half as many at a time as there are cores: what it decodes came from strangers. */
export function createDrawWatermark({ msMax = markMsMax }: { msMax?: number } = {}): DrawWatermark {
  const turns = new Turns(Math.max(1, Math.floor(availableParallelism() / 2)))
  return async (object, from, to, signal) => {
    if (!(await turns.take(signal))) throw signal.reason
    try {
      await runMarker([object, from, to], msMax, signal)
    } finally {
      turns.giveBack()
    }
  }
}

async function runMarker(args: string[], msMax: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const script = fileURLToPath(new URL('./marker-child.ts', import.meta.url))
  const node = [process.execPath, `--max-old-space-size=${heapMegabytesMax}`, '--disable-warning=ExperimentalWarning', script]
  const limited = ['/bin/sh', '-c', limitAndRun, 'sh', String(memoryKilobytesMax), ...node, ...args]
  const [program = '', ...programArgs] = process.platform === 'linux' ? limited : [...node, ...args]
  const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  const child = spawn(program, programArgs, { stdio: ['pipe', 'ignore', 'pipe'], env })
  const kill = (): boolean => child.kill('SIGKILL')
  const tooLate = setTimeout(kill, msMax)
  signal.addEventListener('abort', kill, { once: true })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, complaintCharactersMax)
  })
  try {
    const end = await new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, by) => resolve(code === 0 ? '' : complaint || `the marker ended by ${by ?? `code ${code}`}`))
    })
    signal.throwIfAborted()
    if (end !== '') throw new Error(`the watermark could not be drawn: ${end}`)
  } finally {
    clearTimeout(tooLate)
    signal.removeEventListener('abort', kill)
  }
}
