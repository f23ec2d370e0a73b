import { describe, expect, it } from 'vitest'
import { aspectRatios, imagePixelSize, imageResolutions, videoPixelSize, videoResolutions } from './dimensions.ts'

const images = imageResolutions.flatMap((resolution) =>
  aspectRatios.map((ratio) =>
    Object.assign(imagePixelSize(ratio, resolution), { makes: 'image', ratio, resolution, multiple: 16 }),
  ),
)
const videos = videoResolutions.flatMap((resolution) =>
  aspectRatios.map((ratio) =>
    Object.assign(videoPixelSize(ratio, resolution), { makes: 'video', ratio, resolution, multiple: 2 }),
  ),
)
const ratioErrorMax = 0.005
/** The documented number of pixels of each resolution. */
const megapixels = { '1K': 2 ** 20, '2K': 2 ** 22 } as const
/** Maximum relative difference of a size from the documented number of pixels. */
const pixelsErrorMax = 0.06

describe('documented sizes', () => {
  it.each([...images, ...videos])(
    'the size of $makes $ratio $resolution, $width x $height, has the stated aspect ratio',
    ({ ratio, width, height }) => {
      const [ratioWidth = 0, ratioHeight = 0] = ratio.split(':').map(Number)
      expect(Math.abs((width / height) * (ratioHeight / ratioWidth) - 1)).toBeLessThanOrEqual(ratioErrorMax)
    },
  )

  it.each([...images, ...videos])(
    'the sides of $makes $ratio $resolution, $width x $height, are multiples of $multiple, as encoders require',
    ({ width, height, multiple }) => {
      expect([width % multiple, height % multiple]).toEqual([0, 0])
    },
  )

  it.each(images)('image $ratio $resolution has about the documented number of pixels', ({ width, height, resolution }) => {
    expect(Math.abs((width * height) / megapixels[resolution] - 1)).toBeLessThan(pixelsErrorMax)
  })

  it.each(videos)('video $ratio $resolution has the documented shorter side', ({ width, height, resolution }) => {
    expect(Math.min(width, height)).toBe(resolution === '2K' ? 1440 : Number(resolution.slice(0, -1)))
  })
})
