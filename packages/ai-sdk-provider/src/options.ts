import type { Simulation } from '@framegate/sdk'

/** `providerOptions.framegate`: any parameters of the model, and the fields that every request may have. */
export interface FramegateOptions {
  /** Description of content that must not appear. */
  negative_prompt?: string
  aspect_ratio?: string
  /** Name of a resolution, such as `720p`. */
  resolution?: string
  /** Adds a watermark of the provider or the platform if true. */
  watermark?: boolean
  /** Maximum price in credits. A task that costs more is refused. */
  max_amount?: number
  /** Improves the prompt first, for the price of `text-prompt-enhance`. */
  improve_prompt?: boolean
  /** Public https address that receives the end of the task. */
  webhook_url?: string
  /** Tests a program against failures, delays and broken downloads. */
  simulate?: Simulation
  [parameter: string]: unknown
}
