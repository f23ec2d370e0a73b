import type { MediaKind } from '../lib/media-type.ts'
import { defaultImageLimits } from './image-limits.ts'

/**
 * Limits of the service for input files, which apply to all models. The limits of individual models
 * are in the catalogue.
 */
export const mediaInputLimits = {
  bytesMax: { image: defaultImageLimits.bytesMax, video: 200 * 1024 * 1024, audio: 50 * 1024 * 1024 },
  secondsMax: 600,
  sideMax: 8192,
  framesPerSecondMax: 120,
  tracksMax: 16,
  fetchTimeoutMs: 120_000,
} as const satisfies { bytesMax: Record<MediaKind, number> } & Record<string, unknown>

/** Maximum size of an input file of any kind. */
export const inputBytesMax = Math.max(...Object.values(mediaInputLimits.bytesMax))
