import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { assetIdIn } from '../../identity/asset-id.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { limitBytes } from '../../lib/limit-bytes.ts'
import { isVideoType } from '../../lib/media-type.ts'
import { bytesOfDataUri, isDataUri } from '../data-uri.ts'
import type { DecodeImageFile } from '../decode-image-file.ts'
import type { DecodedImage, WantedPixels } from '../decoder/decode-image.ts'
import { ImageRefusal } from '../image-refusal.ts'
import { mediaInputLimits } from '../media-input-limits.ts'
import { MediaProbeError } from '../probe-media.ts'
import type { ProbeInput } from '../prober/prober-pool.ts'
import { extractFrame, type WhichFrame } from './extract-frame.ts'

/**
 * One frame of an untrusted video (an address, a data URI or an asset) as plain pixels. Without an
 * ffmpeg on PATH, a gray card of the shape of the video stands in for it. Throws an `ImageRefusal`,
 * whose message is for the client.
 */
export type ReadVideoFrame = (source: string, options: FrameOptions) => Promise<DecodedImage>

export interface FrameOptions extends WantedPixels {
  which: WhichFrame
  position: string
  signal: AbortSignal
}

export interface VideoFrameParts {
  fetchUntrusted: FetchUntrusted
  /** The file of an asset; undefined if it is not kept. */
  openAssetFile: (assetId: string) => Promise<Readable | undefined>
  probeInput: ProbeInput
  decodeImageFile: DecodeImageFile
  scratchDir: string
}

const bytesMax = mediaInputLimits.bytesMax.video
const [cardSideMax, cardShade] = [512, 96]

export function createReadVideoFrame(parts: VideoFrameParts): ReadVideoFrame {
  const { fetchUntrusted, openAssetFile, probeInput, decodeImageFile } = parts
  const directory = path.join(parts.scratchDir, 'video-frames')

  return async function readVideoFrame(source, { which, position, signal, ...wanted }) {
    await mkdir(directory, { recursive: true })
    const [from, to] = [path.join(directory, randomUUID()), path.join(directory, `${randomUUID()}.png`)]
    try {
      const stream = await open(source, position, signal)
      await pipeline(stream, limitBytes(bytesMax), createWriteStream(from), { signal })
      const { contentType, width, height } = await probeInput(from, signal)
      if (!isVideoType(contentType)) throw new ImageRefusal('not_an_image', position, 'this is no video; send a video')
      const end = await extractFrame({ from, to, contentType, which }, signal)
      signal.throwIfAborted()
      if (end === 'missing') return grayCard(width ?? 1, height ?? 1)
      if (end === 'failed') throw new ImageRefusal('damaged', position, 'the video cannot be decoded; encode it as H.264 in MP4')
      return await decodeImageFile(await readFile(to), { ...wanted, position, signal })
    } catch (cause) {
      throw refusalOf(cause, position)
    } finally {
      for (const file of [from, to]) await rm(file, { force: true })
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

function refusalOf(cause: unknown, position: string): unknown {
  if (cause instanceof UntrustedFetchRefusal) {
    return new ImageRefusal('unreachable', position, cause.message, { cause, isPassing: cause.isPassing })
  }
  return cause instanceof MediaProbeError ? new ImageRefusal('damaged', position, cause.message, { cause }) : cause
}

function grayCard(wholeWidth: number, wholeHeight: number): DecodedImage {
  const share = Math.min(1, cardSideMax / Math.max(wholeWidth, wholeHeight))
  const [width, height] = [Math.max(1, Math.round(wholeWidth * share)), Math.max(1, Math.round(wholeHeight * share))]
  const rgba = new Uint8Array(4 * width * height).fill(cardShade)
  for (let alpha = 3; alpha < rgba.length; alpha += 4) rgba[alpha] = 255
  return { width, height, rgba, whole: { width: wholeWidth, height: wholeHeight } }
}
