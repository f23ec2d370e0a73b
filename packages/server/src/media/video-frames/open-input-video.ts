import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PixelSize } from '@framegate/contract'
import { assetIdIn } from '../../identity/asset-id.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { limitBytes } from '../../lib/limit-bytes.ts'
import { isVideoType } from '../../lib/media-type.ts'
import { bytesOfDataUri, isDataUri } from '../data-uri.ts'
import type { DecodeImageFile } from '../decode-image-file.ts'
import type { DecodedImage } from '../decoder/decode-image.ts'
import { ImageRefusal } from '../image-refusal.ts'
import { mediaInputLimits } from '../media-input-limits.ts'
import { MediaProbeError } from '../probe-media.ts'
import type { ProbeInput } from '../prober/prober-pool.ts'
import {
  decodeFirstFrames,
  decodeLastFrame,
  decodingCommand,
  type Command,
  type DecodeEnd,
  type VideoFile,
  type WantedFrames,
} from './ffmpeg-decoder.ts'

/**
 * Opens an untrusted video (an address, a data URI or an asset) to read its frames. Throws an
 * `ImageRefusal`, whose message is for the client.
 */
export type OpenInputVideo = (source: string, options: { position: string; signal: AbortSignal }) => Promise<InputVideo>

/** A probed video in the scratch folder. The file exists until the video is disposed of. */
export interface InputVideo extends AsyncDisposable {
  /** Size as displayed. */
  readonly size: PixelSize
  readonly seconds: number
  /** Returns the last frame, scaled and cropped to this size. */
  lastFrame(size: PixelSize): Promise<DecodedImage>
  /** Returns the first frames, each scaled to at most this many pixels. */
  firstFrames(wanted: WantedFrames & { pixelsMax: number }): Promise<PixelSize & { rgba: Uint8Array; frames: number }>
  /**
   * Returns a command that writes all frames to its standard output, as I420 that is scaled and
   * cropped to the size.
   */
  decodingCommand(wanted: WantedFrames & PixelSize): Command
}

export interface InputVideoParts {
  fetchUntrusted: FetchUntrusted
  /** Opens the file of an asset. Undefined if the asset does not exist. */
  openAssetFile: (assetId: string) => Promise<Readable | undefined>
  probeInput: ProbeInput
  decodeImageFile: DecodeImageFile
  scratchDir: string
}

const bytesMax = mediaInputLimits.bytesMax.video

export function createOpenInputVideo(parts: InputVideoParts): OpenInputVideo {
  const { fetchUntrusted, openAssetFile, probeInput, decodeImageFile } = parts
  const directory = path.join(parts.scratchDir, 'video-frames')

  return async function openInputVideo(source, { position, signal }) {
    await mkdir(directory, { recursive: true })
    const from = path.join(directory, randomUUID())
    try {
      const stream = await open(source, position, signal)
      await pipeline(stream, limitBytes(bytesMax), createWriteStream(from), { signal })
      const { contentType, width, height, durationSeconds } = await probeInput(from, signal)
      if (!isVideoType(contentType)) throw new ImageRefusal('not_an_image', position, 'this is no video; send a video')
      const size = { width: width ?? 1, height: height ?? 1 }
      return videoOf({ path: from, contentType }, { size, seconds: durationSeconds, position, signal })
    } catch (cause) {
      await rm(from, { force: true })
      throw refusalOf(cause, position)
    }
  }

  function videoOf(
    file: VideoFile,
    { size, seconds, position, signal }: { size: PixelSize; seconds: number; position: string; signal: AbortSignal },
  ): InputVideo {
    async function decoded(decode: (to: string) => Promise<DecodeEnd>): Promise<Buffer> {
      const to = `${file.path}.decoded`
      try {
        const end = await decode(to)
        signal.throwIfAborted()
        if (end !== 'done') throw undecodable(end, position)
        return await readFile(to)
      } finally {
        await rm(to, { force: true })
      }
    }

    return {
      size,
      seconds,
      async lastFrame(wanted) {
        const png = await decoded((to) => decodeLastFrame(file, to, signal))
        return await decodeImageFile(png, { fit: 'cover', ...wanted, position, signal })
      },
      async firstFrames({ pixelsMax, ...wanted }) {
        const { width, height } = sizeWithin(size, pixelsMax)
        const rgba = new Uint8Array(await decoded((to) => decodeFirstFrames(file, { ...wanted, width, height, to }, signal)))
        const frames = Math.floor(rgba.length / (4 * width * height))
        if (frames === 0) throw undecodable('failed', position)
        return { width, height, rgba, frames }
      },
      decodingCommand: (wanted) => decodingCommand(file, size, wanted),
      [Symbol.asyncDispose]: () => rm(file.path, { force: true }),
    }
  }

  async function open(source: string, position: string, signal: AbortSignal): Promise<Readable> {
    const assetId = assetIdIn(source)
    if (assetId !== undefined) {
      const file = await openAssetFile(assetId)
      if (file === undefined) throw new ImageRefusal('unreachable', position, 'this asset is no longer kept; upload it again')
      return file
    }
    if (!isDataUri(source)) {
      return (await fetchUntrusted(source, { bytesMax, timeoutMs: mediaInputLimits.fetchMs, signal })).stream
    }
    const bytes = bytesOfDataUri(source, bytesMax)
    if (Buffer.isBuffer(bytes)) return Readable.from([bytes], { objectMode: false })
    throw new ImageRefusal('damaged', position, bytes.error)
  }
}

function undecodable(end: Exclude<DecodeEnd, 'done'>, position: string): ImageRefusal {
  return end === 'missing'
    ? new ImageRefusal('no_decoder', position, 'the service has no ffmpeg that decodes videos; use an image')
    : new ImageRefusal('damaged', position, 'the video cannot be decoded; encode it as H.264 in MP4')
}

function refusalOf(cause: unknown, position: string): unknown {
  if (cause instanceof UntrustedFetchRefusal) {
    return new ImageRefusal('unreachable', position, cause.message, { cause, isPassing: cause.isPassing })
  }
  return cause instanceof MediaProbeError ? new ImageRefusal('damaged', position, cause.message, { cause }) : cause
}

/** Returns the largest size with the same ratio that has at most this many pixels. */
function sizeWithin({ width, height }: PixelSize, pixelsMax: number): PixelSize {
  const share = Math.min(1, Math.sqrt(pixelsMax / (width * height)))
  return { width: Math.max(1, Math.floor(width * share)), height: Math.max(1, Math.floor(height * share)) }
}
