import type { Simulation } from '@framegate/sdk'

/**
 * `providerOptions.framegate`: any parameters of the model, and the fields that are common to all
 * requests.
 */
export interface FramegateOptions {
  /** Description of content that must not appear. */
  negative_prompt?: string
  aspect_ratio?: string
  /** Name of a resolution, such as `720p`. */
  resolution?: string
  /** Whether to add a watermark of the provider or the platform. */
  watermark?: boolean
  /** Maximum price in credits. A task that costs more is rejected. */
  max_amount?: number
  /** Whether to improve the prompt first, at the price of `text-prompt-enhance`. */
  improve_prompt?: boolean
  /** Public https URL that receives an event when the task ends. */
  webhook_url?: string
  /** Simulates failures, delays and broken downloads, for testing your program. */
  simulate?: Simulation
  [parameter: string]: unknown
}
