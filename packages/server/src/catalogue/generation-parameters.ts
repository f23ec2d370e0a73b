/**
 * The shared vocabulary of model parameters, with defaults filled in (contract: models whose
 * parameters are not shown).
 */
export interface GenerationParameters {
  prompt?: string
  negative_prompt?: string
  aspect_ratio?: string
  resolution?: string
  seconds?: number
  /** URLs, data URIs or `asset:ID`. */
  reference_images?: string[]
  first_frame?: string
  last_frame?: string
  seed?: number
  watermark?: boolean
  audio?: boolean
}
