import type { WarmPool } from '../../lib/warm-pool.ts'
import type { ProbedMedia } from '../probe-media.ts'
import type { Prober } from './prober.ts'

/** Maximum number of files that share a message to a prober. */
const filesPerCheckMax = 16
/** A file with a longer path is probed alone, because the size of a message is limited. */
const pathCharactersMax = 1_000

interface WaitingFile {
  path: string
  /** The outcome of a shared check. Null if the file must be probed alone. */
  check?: Promise<ProbedMedia | null>
  /** Called as soon as a shared check has found the media. */
  onFound: (media: ProbedMedia) => void
}

/**
 * Probes results. Those that wait for a prober at the same time share one message, because a
 * message to a prober takes more CPU time than the check of a small image.
 *
 *   a single file     is probed completely
 *   several files     share a check, which finds the media of small plain images; each of the other
 *                     files is probed alone when a prober is free
 *
 * A check takes only milliseconds per file. If a file crashes the prober, each file of the check is
 * probed alone.
 */
export class SharedProbes {
  readonly #probers: Pick<WarmPool<Prober>, 'use'>
  readonly #waiting = new Set<WaitingFile>()

  constructor(probers: Pick<WarmPool<Prober>, 'use'>) {
    this.#probers = probers
  }

  /** Returns undefined if the signal aborts before the probe starts, or if the pool is closed. */
  async probe(path: string, signal: AbortSignal): Promise<ProbedMedia | undefined> {
    const { promise: foundByCheck, resolve } = Promise.withResolvers<ProbedMedia>()
    const file: WaitingFile = { path, onFound: resolve }
    if (path.length <= pathCharactersMax) this.#waiting.add(file)
    const probed = this.#probeWhenFree(file, signal).finally(() => this.#waiting.delete(file))
    return await Promise.race([foundByCheck, probed])
  }

  async #probeWhenFree(file: WaitingFile, signal: AbortSignal): Promise<ProbedMedia | undefined> {
    const probe = await this.#probers.use(signal, async (prober) => {
      const media = this.#waiting.delete(file) ? await this.#checkWithOthers(file, prober, signal) : await file.check
      if (media !== null && media !== undefined) return { media }
      return prober.isDead ? null : { media: await prober.probe(file.path, signal) }
    })
    if (probe !== null) return probe?.media
    // The prober has crashed during the check.
    return await this.#probers.use(signal, (prober) => prober.probe(file.path, signal))
  }

  /** Checks the file together with files that wait. Returns null if no other file waits. */
  async #checkWithOthers(file: WaitingFile, prober: Prober, signal: AbortSignal): Promise<ProbedMedia | null> {
    const otherFiles = [...this.#waiting].slice(0, filesPerCheckMax - 1)
    if (otherFiles.length === 0) return null
    const checks = prober
      .check(
        [file, ...otherFiles].map(({ path }) => path),
        signal,
      )
      .catch(() => [])
    for (const [index, otherFile] of otherFiles.entries()) {
      this.#waiting.delete(otherFile)
      otherFile.check = checks.then((media) => media[index + 1] ?? null)
      void otherFile.check.then((media) => media !== null && otherFile.onFound(media))
    }
    return (await checks)[0] ?? null
  }
}
