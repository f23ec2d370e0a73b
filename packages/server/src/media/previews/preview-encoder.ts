import { fileURLToPath } from 'node:url'
import { LimitedChild, type LimitedChildOptions } from '../../lib/limited-child/limited-child.ts'
import { WarmPool, type PoolMember } from '../../lib/warm-pool.ts'
import { describeFormat, imageTypeOf } from '../../lib/image-type.ts'
import { MediaStoreError } from '../media-store.ts'
import type { EncodeRequest } from './encode-preview.ts'

/** Error for a file that can never have a preview. */
export class PreviewRefusal extends Error {
  override readonly name = 'PreviewRefusal'
}

export type EncodeOutcome =
  | { kind: 'encoded' }
  | { kind: 'unusable'; message: string }
  /** The operating system could not read the file. */
  | { kind: 'unreadable'; message: string }

/** `cpuSeconds`: CPU time of the child since its start. */
type FromEncoder = EncodeOutcome & { cpuSeconds: number }

/**
 * Total size of the twelve frames from which a thumbnail is chosen. All tiles of a spritesheet
 * together are smaller.
 */
export const framesBytesMax = 12 * 512 * 512 * 3
/** A spritesheet of noise takes about one megabyte. */
const previewBytesMax = 4 * 1024 * 1024
/** Minimum CPU seconds for each file. A PNG of 100 million pixels takes a few seconds. */
const cpuSecondsPerFile = 10
const encodeMsMax = 60_000
const childLimits = { heapMegabytesMax: 64, memoryKilobytesMax: 1280 * 1024 }
const filesPerEncoderMax = 200
const idleMsMax = 300_000

/** A child process that encodes one preview at a time, within limits of memory and CPU time. */
class PreviewEncoder implements PoolMember {
  readonly #child: LimitedChild
  #cpuSeconds = 0

  constructor(script: string, log: LimitedChildOptions['log']) {
    this.#child = new LimitedChild({
      name: 'a preview encoder',
      script,
      limits: { ...childLimits, cpuSecondsMax: 2 * cpuSecondsPerFile },
      bodyBytesMax: previewBytesMax,
      exchangeMsMax: encodeMsMax,
      log,
    })
  }

  /**
   * True after the child has used half of its CPU time. The child is then replaced, so that each
   * file gets at least `cpuSecondsPerFile`.
   */
  get isDead(): boolean {
    return this.#child.isDead || this.#cpuSeconds > cpuSecondsPerFile
  }

  async encode(request: EncodeRequest, frames: Uint8Array | undefined, signal: AbortSignal): Promise<Buffer> {
    const end = await this.#child.exchange(request, frames, signal)
    if (end.outcome === 'too_slow') throw new Error('the preview could not be encoded in time')
    if (end.outcome === 'crashed') {
      // The kernel kills the child if the machine runs out of memory. The child's own limits end it
      // with other signals.
      if (end.signal === 'SIGKILL') throw new Error('the preview encoder was killed')
      throw new PreviewRefusal('the file cannot be decoded within the limits of memory and CPU time')
    }
    const { kind, cpuSeconds, ...response } = end.message.header as FromEncoder
    this.#cpuSeconds = cpuSeconds
    if (kind === 'encoded' && isWebp(end.message.body)) return end.message.body
    if (kind === 'unreadable')
      throw new MediaStoreError('refused', `the file could not be read: ${'message' in response ? response.message : ''}`)
    if (kind === 'unusable')
      throw new PreviewRefusal(`the file cannot be decoded: ${'message' in response ? response.message : ''}`)
    // The file may have taken control of the child.
    void this.close()
    throw new PreviewRefusal(`the preview encoder returned ${describeFormat(end.message.body)} instead of a preview`)
  }

  async close(): Promise<void> {
    await this.#child.close()
  }
}

function isWebp(file: Buffer): boolean {
  return imageTypeOf(file) === 'image/webp'
}

/** Encodes previews in a child process, which is started on demand and closed when it is idle. */
export class PreviewEncoders implements AsyncDisposable {
  readonly #encoders: WarmPool<PreviewEncoder>

  constructor(log: LimitedChildOptions['log']) {
    const script = fileURLToPath(new URL('./preview-child.ts', import.meta.url))
    this.#encoders = new WarmPool({
      open: () => new PreviewEncoder(script, log),
      membersMax: 1,
      usesMax: filesPerEncoderMax,
      idleMsMax,
    })
  }

  /**
   * Encodes a preview. Throws a `PreviewRefusal` if the file is the cause of a failure, the
   * signal's reason if it aborts, and another error for a problem of the machine.
   */
  async encode(request: EncodeRequest, frames: Uint8Array | undefined, signal: AbortSignal): Promise<Buffer> {
    const file = await this.#encoders.use(signal, (encoder) => encoder.encode(request, frames, signal))
    signal.throwIfAborted()
    if (file === undefined) throw new Error('the preview encoders are closed')
    return file
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#encoders.close()
  }
}
