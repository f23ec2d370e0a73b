import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { WarmPool } from '../../lib/warm-pool.ts'
import type { InputFacts } from '../probe-input.ts'
import type { ProbedMedia } from '../probe-media.ts'
import { Prober, type ProberOptions } from './prober.ts'
import { SharedProbes } from './shared-probes.ts'

/** Probes a result. Throws the same errors as `Prober.probe`. */
export type ProbeUntrusted = (path: string, signal: AbortSignal) => Promise<ProbedMedia>

/** Probes an input video or sound. Throws the same errors as `Prober.probe`. */
export type ProbeInput = (path: string, signal: AbortSignal) => Promise<InputFacts>

export interface ProberPoolOptions {
  log: ProberOptions['log']
  probeMsMax?: number
  /** Minimum CPU seconds for each file. It must be an even number. */
  cpuSecondsPerFile?: number
  /** Program of the child processes. Only tests replace it. */
  scriptUrl?: URL
}

/**
 * Time limit of a probe. It is reached only on an overloaded machine. Otherwise the limit of CPU
 * time ends a long probe earlier.
 */
const defaultProbeMsMax = 120_000
const defaultCpuSecondsPerFile = 20
/** Bounds of the number of child processes. With two, a slow file does not delay all others. */
const [probersMin, probersMax] = [2, 4]
/**
 * A child is replaced after this many files, or earlier if it has used much CPU time. Starting one
 * takes as much CPU time as hundreds of images.
 */
const filesPerProberMax = 5_000
const idleMsMax = 300_000

/**
 * Probes untrusted files in child processes. A file that makes its child crash, hang or take too
 * much memory therefore affects no other file. Children are started on demand.
 */
export class ProberPool implements AsyncDisposable {
  readonly #probers: WarmPool<Prober>
  readonly #shared: SharedProbes

  constructor(options: ProberPoolOptions) {
    const { log, probeMsMax = defaultProbeMsMax, cpuSecondsPerFile = defaultCpuSecondsPerFile, scriptUrl } = options
    const script = fileURLToPath(scriptUrl ?? new URL('./prober-child.ts', import.meta.url))
    this.#probers = new WarmPool({
      open: () => new Prober({ script, probeMsMax, cpuSecondsPerFile, log }),
      membersMax: Math.max(probersMin, Math.min(probersMax, Math.floor(availableParallelism() / 2))),
      usesMax: filesPerProberMax,
      idleMsMax,
    })
    this.#shared = new SharedProbes(this.#probers)
  }

  readonly probe: ProbeUntrusted = async (path, signal) => requireProbed(await this.#shared.probe(path, signal), signal)

  readonly probeInput: ProbeInput = async (path, signal) =>
    requireProbed(await this.#probers.use(signal, (prober) => prober.probeInput(path, signal)), signal)

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#probers.close()
  }
}

function requireProbed<Probed>(probed: Probed | undefined, signal: AbortSignal): Probed {
  signal.throwIfAborted()
  if (probed === undefined) throw new Error('the media probers are closed')
  return probed
}
