import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { WarmPool } from '../../lib/warm-pool.ts'
import type { ProbedMedia } from '../probe-media.ts'
import { Prober, type ProberOptions } from './prober.ts'

/** Probes a stored file. Throws as `Prober.probe` does. */
export type ProbeUntrusted = (path: string, signal: AbortSignal) => Promise<ProbedMedia>

export interface ProberPoolOptions {
  log: ProberOptions['log']
  probeMsMax?: number
  /** The children's program; replaced only in tests. */
  scriptUrl?: URL
}

/** Reached only on an overloaded machine: 20 seconds of CPU time end a probe earlier. */
const defaultProbeMsMax = 120_000
/** At least two, so that one slow file does not delay all others. */
const [probersMin, probersMax] = [2, 4]
const filesPerProberMax = 100
const idleMsMax = 300_000

/**
 * Probes files of upstreams in child processes. A file that makes its child crash, hang or take too
 * much memory affects that child only. The first file starts the first child.
 */
export class ProberPool implements AsyncDisposable {
  readonly #probers: WarmPool<Prober>

  constructor({ log, probeMsMax = defaultProbeMsMax, scriptUrl }: ProberPoolOptions) {
    const script = fileURLToPath(scriptUrl ?? new URL('./prober-child.ts', import.meta.url))
    this.#probers = new WarmPool({
      open: () => new Prober({ script, probeMsMax, log }),
      membersMax: Math.max(probersMin, Math.min(probersMax, Math.floor(availableParallelism() / 2))),
      usesMax: filesPerProberMax,
      idleMsMax,
    })
  }

  readonly probe: ProbeUntrusted = async (path, signal) => {
    const media = await this.#probers.use(signal, (prober) => prober.probe(path, signal))
    signal.throwIfAborted()
    if (media === undefined) throw new Error('the media probers are closed')
    return media
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#probers.close()
  }
}
