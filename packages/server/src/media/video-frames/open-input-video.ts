import { readFile, rm } from 'node:fs/promises'
import type { PixelSize } from '@framegate/contract'
import { isVideoType } from '../../lib/media-type.ts'
import type { DecodeImageFile } from '../decode-image-file.ts'
import type { DecodedImage } from '../decoder/decode-image.ts'
import { InvalidImage } from '../invalid-image.ts'
import {
  decodeFirstFrames,
  decodeLastFrame,
  videoFramesCommand,
  soundCommand,
  type Command,
  type DecodeOutcome,
  type VideoFile,
  type RequestedFrames,
} from './ffmpeg-decoder.ts'
import { openInputFile, type InputFileDependencies } from './open-input-file.ts'

/**
 * Opens an untrusted video for reading its frames. Throws an `InvalidImage`, whose message is for
 * the client.
 */
export type OpenInputVideo = (source: string, options: { position: string; signal: AbortSignal }) => Promise<InputVideo>

/** A probed video in the scratch folder, which disposal removes. */
export interface InputVideo extends AsyncDisposable {
  /** Size as displayed. */
  readonly size: PixelSize
  readonly seconds: number
  readonly hasSound: boolean
  /** Returns the last frame, scaled and cropped to this size. */
  lastFrame(size: PixelSize): Promise<DecodedImage>
  /** Returns the first `frames` frames, each scaled to at most `pixelsMax` pixels. */
  firstFrames(requested: RequestedFrames & { pixelsMax: number }): Promise<PixelSize & { rgba: Uint8Array; frames: number }>
  /**
   * Returns a command that writes the first `frames` frames to its standard output, as I420, scaled
   * and cropped to the size.
   */
  videoFramesCommand(requested: RequestedFrames & PixelSize): Command
  /** Returns a command that writes the sound of the first seconds to its standard output. */
  soundCommand(seconds: number): Command
}

type DisplayedFacts = Pick<InputVideo, 'size' | 'seconds' | 'hasSound'>

export function createOpenInputVideo(dependencies: InputFileDependencies & { decodeImageFile: DecodeImageFile }): OpenInputVideo {
  const { decodeImageFile } = dependencies

  return async function openInputVideo(source, { position, signal }) {
    const { path: from, facts } = await openInputFile(dependencies, source, { kind: 'video', position, signal })
    const { contentType, width, height, durationSeconds, hasAudio } = facts
    if (!isVideoType(contentType)) throw new Error(`a video has the type ${contentType}`)
    const size = { width: width ?? 1, height: height ?? 1 }
    return videoOf({ path: from, contentType }, { size, seconds: durationSeconds, hasSound: hasAudio, position, signal })
  }

  function videoOf(
    file: VideoFile,
    { size, seconds, hasSound, position, signal }: DisplayedFacts & { position: string; signal: AbortSignal },
  ): InputVideo {
    async function readDecoded(decode: (targetPath: string) => Promise<DecodeOutcome>): Promise<Buffer> {
      const targetPath = `${file.path}.decoded`
      try {
        const outcome = await decode(targetPath)
        signal.throwIfAborted()
        if (outcome !== 'done') throw undecodableVideo(outcome, position)
        return await readFile(targetPath)
      } finally {
        await rm(targetPath, { force: true })
      }
    }

    return {
      size,
      seconds,
      hasSound,
      async lastFrame(requested) {
        const png = await readDecoded((targetPath) => decodeLastFrame(file, targetPath, signal))
        return await decodeImageFile(png, { fit: 'cover', ...requested, position, signal })
      },
      async firstFrames({ pixelsMax, ...requested }) {
        const { width, height } = sizeWithinPixels(size, pixelsMax)
        const rgba = new Uint8Array(
          await readDecoded((targetPath) => decodeFirstFrames(file, { ...requested, width, height, targetPath }, signal)),
        )
        const frames = Math.floor(rgba.length / (4 * width * height))
        if (frames === 0) throw undecodableVideo('failed', position)
        return { width, height, rgba, frames }
      },
      videoFramesCommand: (requested) => videoFramesCommand(file, size, requested),
      soundCommand: (requested) => soundCommand(file, requested),
      [Symbol.asyncDispose]: () => rm(file.path, { force: true }),
    }
  }
}

function undecodableVideo(outcome: Exclude<DecodeOutcome, 'done'>, position: string): InvalidImage {
  return outcome === 'missing'
    ? new InvalidImage('no_decoder', position, 'the service has no ffmpeg that decodes videos; use an image')
    : new InvalidImage('damaged', position, 'the video cannot be decoded; encode it as H.264 in MP4')
}

/** Returns the largest size with the same aspect ratio and at most this many pixels. */
function sizeWithinPixels({ width, height }: PixelSize, pixelsMax: number): PixelSize {
  const scale = Math.min(1, Math.sqrt(pixelsMax / (width * height)))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}
