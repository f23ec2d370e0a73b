/**
 * Exact pixel sizes of results by aspect ratio and resolution.
 *
 * The specification of the API lists ratios and resolutions but no pixel sizes. The sizes in this
 * table are Framegate's choice. Images have about one (1K) or four (2K) megapixels, and each side
 * is a multiple of 16 pixels. For videos, the resolution is the shorter side. The longer side
 * follows the ratio, rounded to an even number. Each size keeps its ratio within 0.5 %.
 */
export const aspectRatios = ['1:1', '3:4', '4:3', '16:9', '9:16', '3:2', '2:3', '21:9'] as const
export type AspectRatio = (typeof aspectRatios)[number]

export const imageResolutions = ['1K', '2K'] as const
export type ImageResolution = (typeof imageResolutions)[number]

export const videoResolutions = ['480p', '540p', '720p', '768p', '1080p', '2K'] as const
export type VideoResolution = (typeof videoResolutions)[number]

/** Frame rate of the videos that the embedded driver renders. */
export const framesPerSecond = 24

export interface PixelSize {
  width: number
  height: number
}

const imagePixels1K: Record<AspectRatio, readonly [width: number, height: number]> = {
  '1:1': [1024, 1024],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '16:9': [1360, 768],
  '9:16': [768, 1360],
  '3:2': [1248, 832],
  '2:3': [832, 1248],
  '21:9': [1568, 672],
}

const videoShortSide: Record<VideoResolution, number> = {
  '480p': 480,
  '540p': 540,
  '720p': 720,
  '768p': 768,
  '1080p': 1080,
  '2K': 1440,
}

/** Pixel size of an image. 2K has twice the width and height of 1K. */
export function imagePixelSize(aspectRatio: AspectRatio, resolution: ImageResolution): PixelSize {
  const [width, height] = imagePixels1K[aspectRatio]
  const scale = resolution === '2K' ? 2 : 1
  return { width: width * scale, height: height * scale }
}

/** Pixel size of a video frame: 720p is 1280 x 720 at 16:9 and 720 x 1280 at 9:16. */
export function videoPixelSize(aspectRatio: AspectRatio, resolution: VideoResolution): PixelSize {
  const [ratioWidth, ratioHeight] = aspectRatio.split(':').map(Number) as [number, number]
  const shortSide = videoShortSide[resolution]
  const longSide = 2 * Math.round((shortSide * Math.max(ratioWidth, ratioHeight)) / Math.min(ratioWidth, ratioHeight) / 2)
  return ratioWidth >= ratioHeight ? { width: longSide, height: shortSide } : { width: shortSide, height: longSide }
}
