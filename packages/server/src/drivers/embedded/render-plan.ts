import type { PixelSize } from '@framegate/contract'
import type { WatermarkDesign } from '../../watermark/watermark-design.ts'

/** Everything that decides the pixels of a film or still. The same plan gives the same bytes on the same machine. */
export interface RenderPlan extends PixelSize {
  /** 1 for a still. */
  frames: number
  prompt: string
  negativePrompt: string
  /** Unsigned 32-bit. */
  seed: number
  /** What leads the picture: the words of the prompt, or frames that it begins or ends with. */
  mode: 'text' | 'first-frame' | 'first-and-last-frame'
  /** First those that lead, then references, up to ten. */
  pictures: PlanPicture[]
  watermark: boolean
  /** The product's unless given. */
  watermarkDesign?: WatermarkDesign
}

/** A decoded picture, upright, sRGB, straight (not premultiplied) alpha. First and last frames have exactly the plan's size. */
export interface PlanPicture extends PixelSize {
  rgba: Uint8Array
}

/** How many of a plan's pictures lead; the others are references. */
export const leadingPictures = { text: 0, 'first-frame': 1, 'first-and-last-frame': 2 } as const satisfies Record<
  RenderPlan['mode'],
  number
>
