import type { PixelSize } from '@framegate/contract'
import type { GivenSound, GivenVideo, PlanImage } from '@framegate/renderer'

/**
 * Opens a video that a client refers to. Throws an error named `InvalidImage`, whose message is
 * for the client.
 */
export type OpenVideo = (source: string, options: { position: string; signal: AbortSignal }) => Promise<OpenedVideo>

export interface OpenedVideo extends AsyncDisposable {
  readonly seconds: number
  readonly hasSound: boolean
  /** Returns the last frame, scaled and cropped to this size. */
  lastFrame(size: PixelSize): Promise<PlanImage>
  /** Returns the first `frames` frames. Each is scaled to at most `pixelsMax` pixels. */
  firstFrames(requested: { frames: number; framesPerSecond: number; pixelsMax: number }): Promise<PlanImage>
  /**
   * Returns a command that writes the first `frames` frames to stdout, as I420, scaled and cropped
   * to the size.
   */
  videoFramesCommand(requested: PixelSize & { frames: number; framesPerSecond: number }): GivenVideo['command']
  /** Returns a command that writes the first `seconds` of the audio to stdout. */
  soundCommand(seconds: number): GivenSound['command']
}

/** Opens an audio file that a client refers to. Throws like `OpenVideo`. */
export type OpenSound = (source: string, options: { position: string; signal: AbortSignal }) => Promise<OpenedSound>

export interface OpenedSound extends AsyncDisposable {
  readonly seconds: number
  /** Returns a command that writes the first `seconds` to stdout. */
  soundCommand(seconds: number): GivenSound['command']
}
