import type { PixelSize } from '@framegate/contract'

export interface EncodedTrack<Config> {
  config: Config
  packets: Packet[]
}

/**
 * One encoded frame, or the samples of one sound packet. Packets are in decoding order. No encoder
 * here reorders frames, so this is also the order of playback.
 */
export interface Packet {
  bytes: Uint8Array
  isKey: boolean
}

export interface VideoConfig extends PixelSize {
  /** For example `avc1.42C028`. */
  codec: string
  /** Content of the avcC box. */
  description: Uint8Array
}

export interface SoundConfig {
  codec: string
  /** The AudioSpecificConfig. */
  description: Uint8Array
}
