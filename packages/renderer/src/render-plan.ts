import type { PixelSize } from '@framegate/contract'

/**
 * Everything that decides the pixels of a video or still. The same plan gives the same bytes on the
 * same machine.
 */
export interface RenderPlan extends PixelSize {
  /** 1 for a still. */
  frames: number
  prompt: string
  negativePrompt: string
  /** Unsigned 32-bit integer. */
  seed: number
  /**
   * Source of the content: the words of the prompt, images that are its first or last frame, or a
   * given video. `edit` treats the video as the prompt says, `keep` leaves it as it is, and `motion`
   * moves the leading image along with it.
   */
  mode: 'text' | 'first-frame' | 'first-and-last-frame' | 'edit' | 'keep' | 'motion'
  /** The leading images first, then up to ten references. */
  images: PlanImage[]
  /** Drawn over every frame, for example a watermark. */
  overlay: PlanOverlay | null
  /** For the modes of a given video. */
  given?: GivenVideo
}

/** A given video as a program that decodes it, in the plan's size. For `motion`, in a small one. */
export interface GivenVideo extends PixelSize {
  /**
   * Writes `frames` frames to its standard output, as limited-range BT.709 I420.
   */
  command: readonly [string, ...string[]]
  /** If the program writes fewer, the last one is shown until the end. */
  frames: number
}

/**
 * A decoded image: upright, sRGB, straight (not premultiplied) alpha. First and last frames have
 * exactly the plan's size.
 */
export interface PlanImage extends PixelSize {
  rgba: Uint8Array
  /**
   * Number of images in `rgba`, one after the other: a video plays them in a loop, at its own frame
   * rate. Only for references. Default: 1.
   */
  frames?: number
}

/**
 * An image at a fixed position, in sRGB with straight alpha. Position and size are even numbers.
 */
export interface PlanOverlay extends PlanImage {
  x: number
  y: number
}

/** The number of a plan's images that lead. The others are references. */
export const leadingImages = {
  text: 0,
  'first-frame': 1,
  'first-and-last-frame': 2,
  edit: 0,
  keep: 0,
  motion: 1,
} as const satisfies Record<RenderPlan['mode'], number>
