import type { EncodedTrack, SoundConfig } from './encoded-track.ts'

/** Turns sound into AAC packets. Two implementations: `webcodecs` (in this process) and `ffmpeg` (the one on PATH, in a process of its own). */
export type EncodeSound = (sound: Sound, signal: AbortSignal) => Promise<EncodedTrack<SoundConfig>>

/** Stereo, 48,000 samples a second, -1 to 1. */
export interface Sound {
  left: Float32Array
  right: Float32Array
}

export const soundRate = 48_000
