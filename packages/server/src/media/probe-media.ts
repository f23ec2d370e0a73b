import { readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { InputTrack } from 'mediabunny'
import type sharp from 'sharp'
import { describeFormat, imageTypeOf, signatureBytes, type ImageType } from '../lib/image-type.ts'
import { checkPng } from './check-png.ts'

export interface ProbedMedia {
  contentType: ImageType | 'video/mp4' | 'video/webm'
  kind: 'image' | 'video'
  /** Width as displayed, after the rotation that the file contains. */
  width: number
  height: number
  /** Duration of the video track, rounded to milliseconds. Null for images. */
  durationSeconds: number | null
  /** Number of frames. Absent for images, and for videos with more than `framesMax` frames. */
  frames?: number
  /** Only for videos whose colors have a high dynamic range. */
  isHdr?: true
  hasAudio: boolean
}

/** Codes of probe errors. `refused`: the file may be valid, but exceeds a limit of the service. */
export type MediaProbeErrorCode = 'not_media' | 'broken' | 'refused'

/** Error for a file that cannot be used. */
export class MediaProbeError extends Error {
  override readonly name = 'MediaProbeError'
  readonly code: MediaProbeErrorCode

  constructor(code: MediaProbeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const pixelsMax = 100_000_000
// Limits far above real videos. A file may declare any size and duration. Without limits, numbers
// and totals over many tasks could exceed 2^53 and be inexact.
const videoSideMax = 65_535
const videoSecondsMax = 24 * 60 * 60
const decodeSecondsMax = 60
/** Maximum size of a file that is read completely, for the quick check of small images. */
const smallBytesMax = 256 * 1024
const readCacheBytes = 4 * 1024 * 1024
// Maximum number of frames that are counted, more than an hour at 60 frames per second. The count
// is limited, because each frame costs memory.
const framesMax = 250_000

/**
 * Detects the format of a result from its contents and measures it. Throws a `MediaProbeError` if
 * the image or video is damaged, incomplete or too large. `loadSharp` is called only if an image
 * needs the library, because loading it is slow.
 */
export async function probeMedia(path: string, loadSharp = importSharp): Promise<ProbedMedia> {
  const file = await readSmallOrStart(path, smallBytesMax)
  const smallImage = checkIfComplete(file)
  if (smallImage !== null) return smallImage
  const { start } = file
  const imageType = imageTypeOf(start)
  if (imageType !== undefined) return await probeImage(path, imageType, await loadSharp())
  const format = describeFormat(start)
  if (format !== 'a video')
    throw new MediaProbeError('not_media', `the file is neither an image nor a video: it looks like ${format}`)
  return await probeVideo(path)
}

/**
 * Returns the properties of a small image that is certainly complete and undamaged. Returns null
 * for any other file, and for a file that cannot be read. Blocks for a few milliseconds at most,
 * and must not be called in the service's process.
 */
export function checkSmallImage(path: string): ProbedMedia | null {
  try {
    if (statSync(path).size > smallBytesMax) return null
    const file = readFileSync(path)
    return checkIfComplete({ start: file, sizeBytes: file.byteLength })
  } catch {
    return null
  }
}

interface FileStart {
  start: Buffer
  /** Size of the whole file. */
  sizeBytes: number
}

/**
 * Checks a PNG of which all bytes have been read. Returns null for any other file, and for a PNG
 * that only the image library can check.
 */
function checkIfComplete({ start, sizeBytes }: FileStart): ProbedMedia | null {
  if (start.byteLength < sizeBytes || imageTypeOf(start) !== 'image/png') return null
  const size = checkPng(start)
  return size && { contentType: 'image/png', kind: 'image', ...size, durationSeconds: null, hasAudio: false }
}

export async function firstBytes(path: string): Promise<Uint8Array> {
  return (await readSmallOrStart(path, signatureBytes)).start
}

/**
 * Reads a file of up to `completeBytesMax` bytes completely. Reads only the signature of a larger
 * file.
 */
async function readSmallOrStart(path: string, completeBytesMax: number): Promise<FileStart> {
  await using file = await open(path)
  const { size: sizeBytes } = await file.stat()
  const { buffer, bytesRead } = await file.read(
    Buffer.allocUnsafe(sizeBytes <= completeBytesMax ? Math.max(1, sizeBytes) : signatureBytes),
  )
  return { start: buffer.subarray(0, bytesRead), sizeBytes }
}

async function importSharp(): Promise<typeof sharp> {
  return (await import('sharp')).default
}

async function probeImage(path: string, contentType: ImageType, openImage: typeof sharp): Promise<ProbedMedia> {
  try {
    const image = openImage(path, { failOn: 'error', limitInputPixels: pixelsMax, sequentialRead: true })
    const { autoOrient, height } = await image.metadata()
    // The header does not show whether the file is complete. Extracting the last pixel decodes the
    // whole image, but keeps only that pixel in memory.
    const lastPixel = image.extract({ left: 0, top: height - 1, width: 1, height: 1 })
    await lastPixel.timeout({ seconds: decodeSecondsMax }).raw().toBuffer()
    return { contentType, kind: 'image', ...autoOrient, durationSeconds: null, hasAudio: false }
  } catch (cause) {
    throw new MediaProbeError('broken', 'the image is damaged or incomplete', { cause })
  }
}

async function probeVideo(path: string): Promise<ProbedMedia> {
  // Imported here, because only videos need the library.
  const { FilePathSource, Input, MP4, UnsupportedInputFormatError, WEBM } = await import('mediabunny')
  using file = new Input({ source: new FilePathSource(path, { maxCacheSize: readCacheBytes }), formats: [MP4, WEBM] })
  try {
    const contentType = (await file.getFormat()) === WEBM ? 'video/webm' : 'video/mp4'
    const [videoTrack, audioTrack] = [await file.getPrimaryVideoTrack(), await file.getPrimaryAudioTrack()]
    if (videoTrack === null) throw new MediaProbeError('broken', 'the video has no video track')
    await requireComplete(videoTrack)
    if (audioTrack !== null) await requireComplete(audioTrack)

    const seconds = (await videoTrack.computeDuration()) - (await videoTrack.getFirstTimestamp())
    const durationSeconds = Math.round(seconds * 1000) / 1000
    const { packetCount } = await videoTrack.computePacketStats(framesMax + 1, { metadataOnly: true })
    const { displayWidth: width, displayHeight: height } = videoTrack
    if (!(durationSeconds > 0 && width > 0 && height > 0)) throw new MediaProbeError('broken', 'the video has no frames')
    if (Math.max(width, height) > videoSideMax)
      throw new MediaProbeError(
        'refused',
        `the video measures ${width} x ${height}; each side may have at most ${videoSideMax} pixels`,
      )
    if (durationSeconds > videoSecondsMax) throw new MediaProbeError('refused', 'the video is longer than a day')
    return {
      contentType,
      kind: 'video',
      width,
      height,
      durationSeconds,
      ...(packetCount <= framesMax && { frames: packetCount }),
      ...((await videoTrack.hasHighDynamicRange()) && { isHdr: true as const }),
      hasAudio: audioTrack !== null,
    }
  } catch (cause) {
    if (cause instanceof MediaProbeError) throw cause
    if (cause instanceof UnsupportedInputFormatError) {
      throw new MediaProbeError('not_media', 'the video is neither MP4 nor WebM', { cause })
    }
    throw new MediaProbeError('broken', 'the video is damaged or incomplete', { cause })
  }
}

// Tolerances for a track that declares a slightly too long duration. In an incomplete file, the
// difference exceeds both of them.
const missingSecondsMax = 0.5
const missingShareMax = 0.05

/**
 * Throws if the file is incomplete: the last packet of an MP4 lacks bytes, or a WebM ends before
 * its declared duration.
 */
export async function requireComplete(track: InputTrack): Promise<void> {
  const { EncodedPacketSink } = await import('mediabunny')
  const lastPacket = await new EncodedPacketSink(track).getPacket(Infinity)
  const announcedSeconds = await track.getDurationFromMetadata()
  const missingSeconds = announcedSeconds === null ? 0 : announcedSeconds - (await track.computeDuration())
  const isCut = missingSeconds > missingSecondsMax && missingSeconds > missingShareMax * (announcedSeconds ?? 0)
  if (lastPacket !== null && !isCut) return
  throw new MediaProbeError('broken', `the ${track.type} is incomplete: it ends before its stated duration`)
}
