import { open, readFile } from 'node:fs/promises'
import { AppError } from '../lib/app-error.ts'
import { describeFormat, signatureBytes } from '../lib/image-type.ts'
import { announcedKind, audioNames, kindOf, videoNames, type MediaFacts, type MediaKind } from '../lib/media-type.ts'
import { KeyedSemaphores } from '../lib/keyed-semaphores.ts'
import type { DecodeImageFile } from '../media/decode-image-file.ts'
import { InvalidImage, sendAnImage } from '../media/invalid-image.ts'
import { MediaProbeError } from '../media/probe-media.ts'
import { ProbeTimeout } from '../media/prober/prober.ts'
import type { ProbeInput } from '../media/prober/prober-pool.ts'
import type { ReceivedFile } from './file-receiver.ts'
import type { NewAsset } from './asset-rows.ts'

export type FileFacts = Pick<
  NewAsset,
  'content_type' | 'width' | 'height' | 'duration_ms' | 'frames_per_second' | 'codecs' | 'has_audio'
>

/**
 * Determines the type and properties of a received file from its contents alone. A child process
 * decodes an image, or probes a video or sound. `param` is the request field that contained the
 * file. Throws an `AppError` that names the field and a remedy.
 */
export type InspectFile = (accountNo: number, file: Pick<ReceivedFile, 'path'>, param: string) => Promise<FileFacts>

export interface InspectDependencies {
  decodeImageFile: DecodeImageFile
  probeInput: ProbeInput
}

/** Maximum number of images that are being decoded or wait in memory for a decoder. */
const concurrentDecodesMax = 4
/** Longer side of the decoded image, which is small because the pixels are not used. */
const decodedSideMax = 16
const inspectMsMax = 120_000

export function createInspectFile({ decodeImageFile, probeInput }: InspectDependencies): InspectFile {
  const decodes = new KeyedSemaphores<'all'>(concurrentDecodesMax)
  // At most one file per account is probed at a time, so that slow files do not delay other
  // accounts.
  const probes = new KeyedSemaphores<number>(1)

  return async function inspectFile(accountNo, { path }, param) {
    const signal = AbortSignal.timeout(inspectMsMax)
    const start = await readStart(path)
    const kind = requireKind(start, param)
    const facts =
      kind === 'image'
        ? await decodes.use('all', signal, () => decode(path, param, signal))
        : await probes.use(accountNo, signal, () => probe(path, param, signal))
    if (facts === undefined) throw tooManyWaiting()
    return facts
  }

  async function decode(path: string, param: string, signal: AbortSignal): Promise<FileFacts> {
    try {
      const size = { fit: 'inside', width: decodedSideMax, height: decodedSideMax } as const
      const { type, originalSize } = await decodeImageFile(await readFile(path), { ...size, position: param, signal })
      return { content_type: type, ...originalSize, duration_ms: null, frames_per_second: null, codecs: null, has_audio: 0 }
    } catch (cause) {
      if (signal.aborted) throw tooManyWaiting()
      if (!(cause instanceof InvalidImage)) throw cause
      throw new AppError('invalid_parameter', cause.message, { param, cause })
    }
  }

  async function probe(path: string, param: string, signal: AbortSignal): Promise<FileFacts> {
    try {
      const { contentType, width, height, durationSeconds, framesPerSecond, codecs, hasAudio } = await probeInput(path, signal)
      return {
        content_type: contentType,
        width: width ?? 0,
        height: height ?? 0,
        duration_ms: Math.round(durationSeconds * 1000),
        frames_per_second: framesPerSecond,
        codecs: codecs.join(','),
        has_audio: hasAudio ? 1 : 0,
      }
    } catch (cause) {
      if (signal.aborted || cause instanceof ProbeTimeout) throw tooManyWaiting()
      if (!(cause instanceof MediaProbeError)) throw cause
      throw new AppError('invalid_parameter', `${param}: ${cause.message}`, { param, cause })
    }
  }
}

/**
 * Returns the kind that the first bytes of a file indicate. For an unsupported format, throws an
 * `AppError` that describes the apparent format.
 */
export function requireKind(start: Buffer, param: string): MediaKind {
  const kind = announcedKind(start)
  if (kind !== undefined) return kind
  const remedy = `${sendAnImage}, a video as ${videoNames}, or sound as ${audioNames}`
  throw new AppError('invalid_parameter', `${param}: this is ${describeFormat(start)}; ${remedy}`, { param })
}

/** Returns the properties on which input limits and prices depend. */
export function mediaFactsOf(file: FileFacts & Pick<NewAsset, 'size_bytes'>): MediaFacts {
  return {
    kind: kindOf(file.content_type),
    contentType: file.content_type,
    sizeBytes: file.size_bytes,
    width: file.width === 0 ? null : file.width,
    height: file.height === 0 ? null : file.height,
    seconds: file.duration_ms === null ? null : file.duration_ms / 1000,
    fps: file.frames_per_second,
  }
}

export async function readStart(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0)
  return buffer.subarray(0, bytesRead)
}

function tooManyWaiting(): AppError {
  return new AppError('overloaded', 'Too many files are waiting to be inspected. Nothing was stored; try again shortly.')
}
