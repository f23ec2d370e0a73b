import type { MediaKind } from '../lib/media-type.ts'
import { defaultImageLimits } from './image-limits.ts'

/**
 * Limits of the service for a client's video or sound, for all models. They are at least as wide as
 * the limits of every provider. The limits of each model are in the catalogue.
 */
export const mediaInputLimits = {
  bytesMax: { image: defaultImageLimits.bytesMax, video: 200 * 1024 * 1024, audio: 50 * 1024 * 1024 },
  secondsMax: 600,
  sideMax: 8192,
  framesPerSecondMax: 120,
  tracksMax: 16,
  fetchMs: 120_000,
} as const satisfies { bytesMax: Record<MediaKind, number> } & Record<string, unknown>

/** The largest file that any kind of input may have. */
export const inputBytesMax = Math.max(...Object.values(mediaInputLimits.bytesMax))
