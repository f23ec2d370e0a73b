import type { Painter, Stage } from '../stage.ts'

/** Squares across a landscape frame's height, and steps of light and colour in code values. */
const pixelRows = 135
const pixelSteps = { luma: 11, chroma: 7 }

export function paintPixels({ compositor, geometry }: Stage): Painter {
  const { kernels, planes } = compositor
  const { paddedWidth, height, unit } = geometry
  const side = Math.max(2, Math.round(unit / pixelRows / 2) * 2)
  // Smoothing dither would betray that the squares are drawn on a finer grid.
  compositor.setFinish({ vignette: 0, dither: 0 })
  return () => {
    kernels.pixelatePlane(planes.y, paddedWidth * 2, paddedWidth, height, side, pixelSteps.luma * 128)
    for (const plane of [planes.u, planes.v])
      kernels.pixelatePlane(plane, paddedWidth, paddedWidth >> 1, height >> 1, side >> 1, pixelSteps.chroma * 128)
  }
}
