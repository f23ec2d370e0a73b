import type { PixelSize } from '@framegate/contract'

export interface EncodedTrack<Config> {
  config: Config
  packets: Packet[]
}

/** In the order of decoding; no encoder here reorders frames, so that is the order of showing too. */
export interface Packet {
  bytes: Uint8Array
  isKey: boolean
}

export interface VideoConfig extends PixelSize {
  /** Such as `avc1.42C028`. */
  codec: string
  /** The avcC box's contents. */
  description: Uint8Array
}

export interface SoundConfig {
  codec: string
  /** AudioSpecificConfig. */
  description: Uint8Array
}
