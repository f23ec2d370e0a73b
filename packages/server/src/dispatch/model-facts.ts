import type { PixelSize } from '@framegate/contract'
import type { GenerationParameters } from '../drivers/driver.ts'

/** What the dispatcher needs to know of a model; the catalogue knows it. */
export interface ModelFacts {
  size(parameters: GenerationParameters): PixelSize
  /** What is charged for what was really produced, micro-credits, by the price the task was accepted at; null seconds for an image. */
  charge(parameters: GenerationParameters, producedSeconds: number | null, priceNo: number | null): number
  /** How long an attempt may take from its start. */
  deadlineMs: number
}
