import type { PixelSize } from '@framegate/contract'

/** Everything that decides the pixels of a film or still. The same plan gives the same bytes on the same machine. */
export interface RenderPlan extends PixelSize {
  /** 1 for a still. */
  frames: number
  prompt: string
  negativePrompt: string
  /** Unsigned 32-bit. */
  seed: number
  mode: 'text' | 'first-frame' | 'first-and-last-frame' | 'references'
  /** `first-frame`: one; `first-and-last-frame`: first, last; `references`: one to ten, in order; `text`: none. */
  pictures: PlanPicture[]
  watermark: boolean
}

/** A decoded picture, upright, sRGB, straight (not premultiplied) alpha. First and last frames have exactly the plan's size. */
export interface PlanPicture extends PixelSize {
  rgba: Uint8Array
}
