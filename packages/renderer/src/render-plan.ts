import type { PixelSize } from '@framegate/contract'

/**
 * Input that determines the pixels of a video or still. The same plan gives the same bytes on the
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
   * Source of the content: the words of the prompt (`text`), images that are the first or the last
   * frame, or a given video. `edit` transforms the video's frames according to the prompt, `keep`
   * leaves them unchanged, and `motion` applies the video's motion to an image.
   */
  mode: 'text' | 'first-frame' | 'first-and-last-frame' | 'edit' | 'keep' | 'motion'
  /** The images that the mode requires (`leadingImageCounts`), followed by the references. */
  images: PlanImage[]
  /** Image that is drawn over every frame, such as a watermark. */
  overlay: PlanOverlay | null
  /** Required by the modes `edit`, `keep` and `motion`. */
  given?: GivenVideo
}

/**
 * A given video is a video that the request supplies as input. This is the program that decodes it.
 * The frames have the plan's size, or a smaller size for `motion`.
 */
export interface GivenVideo extends PixelSize {
  /**
   * Command of the program. It writes `frames` frames to its standard output, as limited-range
   * BT.709 I420.
   */
  command: readonly [string, ...string[]]
  /** Number of frames. If the program writes fewer frames, its last frame is repeated. */
  frames: number
}

/**
 * A decoded image: upright, sRGB, straight (not premultiplied) alpha. First and last frames have
 * exactly the plan's size.
 */
export interface PlanImage extends PixelSize {
  rgba: Uint8Array
  /**
   * Number of images in `rgba`, stored one after the other. The rendered video plays them in a
   * loop, one per frame. Only references may have more than one. Default: 1.
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

/** Number of images that each mode requires. The plan's other images are references. */
export const leadingImageCounts = {
  text: 0,
  'first-frame': 1,
  'first-and-last-frame': 2,
  edit: 0,
  keep: 0,
  motion: 1,
} as const satisfies Record<RenderPlan['mode'], number>
