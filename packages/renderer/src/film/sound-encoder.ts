import type { EncodedTrack, SoundConfig } from './encoded-track.ts'

/**
 * Encodes sound as AAC packets. Two implementations: `webcodecs` (in this process) and `ffmpeg`
 * (the one on PATH, in a separate process).
 */
export type EncodeSound = (sound: Sound, signal: AbortSignal) => Promise<EncodedTrack<SoundConfig>>

/** Stereo sound at 48,000 samples per second, from -1 to 1. */
export interface Sound {
  left: Float32Array
  right: Float32Array
}

export const soundRate = 48_000
