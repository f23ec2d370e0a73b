import type { PixelSize } from '@framegate/contract'

/**
 * Turns I420 frames into H.264 packets, and sound into AAC packets. Two implementations: `webcodecs` (x264 in this
 * process) and `ffmpeg` (whatever the ffmpeg on PATH was built with, in a process of its own).
 */
export interface FilmEncoder {
  openVideo(size: PixelSize, signal: AbortSignal): Promise<VideoEncoder>
  encodeSound(sound: Sound, signal: AbortSignal): Promise<EncodedTrack<SoundConfig>>
}

/** For one film. Frames are limited-range BT.709. */
export interface VideoEncoder {
  /** Waits until there is room, and settles when the frame's bytes have been taken. */
  encode(i420: Uint8Array): Promise<void>
  finish(): Promise<EncodedTrack<VideoConfig>>
  /** Frees everything, also in the middle of a film. */
  close(): void
}

/** Stereo, 48,000 samples a second, -1 to 1. */
export interface Sound {
  left: Float32Array
  right: Float32Array
}

export const soundRate = 48_000

/** Seconds between frames from which a player can start: 2. */
export const keyFrameInterval = 48

export interface EncodedTrack<Config> {
  config: Config
  packets: Packet[]
}

/** In the order of decoding; neither encoder reorders frames, so that is the order of showing too. */
export interface Packet {
  bytes: Uint8Array
  isKey: boolean
}

export interface VideoConfig extends PixelSize {
  /** Such as `avc1.640028`. */
  codec: string
  /** The avcC box's contents. */
  description: Uint8Array
}

export interface SoundConfig {
  codec: string
  /** AudioSpecificConfig. */
  description: Uint8Array
}
