import { readFile } from 'node:fs/promises'
import type { PixelSize, PreviewKind } from '@framegate/contract'
import type { ProbedMedia } from '../probe-media.ts'
import { readFrames, type FrameChoice, type ReadFramesOutcome, type DisplayedVideo } from '../video-frames/read-frames.ts'
import { PreviewRefusal, type PreviewEncoders } from './preview-encoder.ts'
import { sheetTiles, sizeWithin, thumbnailSideMax, tileSideMax } from './preview-size.ts'

/** The file of a result on this machine. */
export interface ResultFile {
  path: string
  media: Pick<ProbedMedia, 'contentType' | 'kind' | 'width' | 'height' | 'durationSeconds' | 'isHdr'>
  /** An early frame of a video as packed RGB, if the renderer has provided one. */
  frame?: (PixelSize & { path: string }) | undefined
}

/** Videos cannot be decoded, because there is no ffmpeg on PATH. */
export class NoVideoDecoder extends Error {
  override readonly name = 'NoVideoDecoder'
}

/** The frames from which a thumbnail is chosen: four per second, in the first three seconds. */
const earlyFrames = { from: 'start', everySeconds: 0.25, forSeconds: 3 } as const satisfies FrameChoice
const earlyFramesMax = earlyFrames.forSeconds / earlyFrames.everySeconds
/**
 * Maximum duration of a video that is decoded completely for its spritesheet. For a longer video,
 * only key frames are decoded.
 */
const fullDecodeSecondsMax = 30
/**
 * Time limit for reading the tiles of a long video. When it is reached, the last tile that was read
 * fills the rest of the sheet.
 */
const tilesMsMax = 30_000

/**
 * Creates a preview of a result as a WebP file. Throws a `PreviewRefusal` if no preview can be
 * created from the result, and the signal's reason if it aborts.
 */
export async function createPreview(
  encoders: Pick<PreviewEncoders, 'encode'>,
  file: ResultFile,
  kind: PreviewKind,
  signal: AbortSignal,
): Promise<Buffer> {
  const { path, media, frame } = file
  if (media.kind === 'image') {
    if (kind === 'spritesheet') throw new PreviewRefusal('an image has no spritesheet')
    return await encoders.encode({ kind: 'image', path }, undefined, signal)
  }
  if (kind === 'thumbnail' && frame !== undefined) {
    const { width, height } = frame
    return await encoders.encode({ kind: 'frames', width, height }, await readFile(frame.path), signal)
  }
  const video = videoOf(file)
  const size = sizeWithin(media, kind === 'thumbnail' ? thumbnailSideMax : tileSideMax)
  if (kind === 'spritesheet')
    return await encoders.encode({ kind: 'tiles', ...size }, await readTiles(video, size, signal), signal)
  const frames = framesIn(await readFrames(video, { choice: earlyFrames, framesMax: earlyFramesMax, ...size }, signal))
  return await encoders.encode({ kind: 'frames', ...size }, frames, signal)
}

function videoOf({ path, media: { contentType, durationSeconds, isHdr } }: ResultFile): DisplayedVideo {
  if (contentType !== 'video/mp4' && contentType !== 'video/webm') throw new PreviewRefusal(`${contentType} is not a video`)
  return { path, contentType, seconds: durationSeconds ?? 0, isHdr: isHdr === true }
}

/** Reads the tiles of a spritesheet, at least one. */
async function readTiles(video: DisplayedVideo, size: PixelSize, signal: AbortSignal): Promise<Uint8Array> {
  if (video.seconds > fullDecodeSecondsMax) return await readKeyFrames(video, size, signal)
  const choice = { from: 'everywhere', frames: sheetTiles } as const
  const end = await readFrames(video, { choice, framesMax: sheetTiles, ...size }, signal)
  if ('frames' in end || end.problem !== 'undecodable') return framesIn(end)
  // A video with a single frame may have no frame in the middle of any interval.
  return framesIn(await readFrames(video, { choice: earlyFrames, framesMax: 1, ...size }, signal))
}

/**
 * Reads one key frame for each tile. If a part of the video cannot be decoded, its tile repeats the
 * previous tile, or is left out if there is none.
 */
async function readKeyFrames(video: DisplayedVideo, size: PixelSize, signal: AbortSignal): Promise<Uint8Array> {
  const tiles: Uint8Array[] = []
  const deadlineMs = performance.now() + tilesMsMax
  for (let tile = 0; tile < sheetTiles && performance.now() < deadlineMs; tile++) {
    const choice = { from: 'key-frame', atSeconds: ((tile + 0.5) / sheetTiles) * video.seconds } as const
    const end = await readFrames(video, { choice, framesMax: 1, ...size }, signal)
    const previousTile = tiles.at(-1)
    if ('frames' in end || end.problem !== 'undecodable') tiles.push(framesIn(end))
    else if (previousTile !== undefined) tiles.push(previousTile)
  }
  if (tiles.length === 0) throw undecodableVideo()
  return Buffer.concat(tiles)
}

/** Returns the frames, or throws the error of reading them. */
function framesIn(end: ReadFramesOutcome): Uint8Array {
  if ('frames' in end) return end.frames
  if (end.problem === 'missing') throw new NoVideoDecoder('there is no ffmpeg on PATH')
  if (end.problem === 'killed') throw new Error('the decoder of the video was killed')
  throw undecodableVideo()
}

function undecodableVideo(): PreviewRefusal {
  return new PreviewRefusal('no frame of the video can be decoded')
}
