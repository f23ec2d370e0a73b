import type { Compositor } from '../picture/compositor.ts'
import type { Style } from './scene-brief.ts'
import type { Painter, Stage } from './stage.ts'

interface Grade {
  /** Share of an S-curve in the light, then its gain and what is added, 0 to 1. */
  contrast: number
  gain: number
  lift: number
  saturation: number
  /** Code values by which grey moves in U and V. */
  tint: readonly [u: number, v: number]
  vignette: number
  grain: number
}

const grades: Record<Exclude<Style, 'pixel'>, Grade> = {
  ink: { contrast: 0.9, gain: 0.92, lift: 0.075, saturation: 0.08, tint: [-5, 3], vignette: 0.1, grain: 2.4 },
  mono: { contrast: 0.75, gain: 1, lift: 0, saturation: 0, tint: [0, 0], vignette: 0.4, grain: 2 },
  film: { contrast: 0.5, gain: 0.93, lift: 0.035, saturation: 0.82, tint: [-5, 4], vignette: 0.46, grain: 3 },
  neon: { contrast: 0.22, gain: 1, lift: 0.012, saturation: 1.5, tint: [6, 8], vignette: 0.4, grain: 1 },
}

/** Squares across a landscape frame's height, and steps of light and colour in code values. */
const pixelRows = 135
const pixelSteps = { luma: 11, chroma: 7 }

/** The prompt's style as the last treatment of the whole picture. */
export function paintStyle({ compositor, brief, geometry }: Stage): Painter | undefined {
  const { style } = brief
  if (!style) return undefined
  if (style === 'pixel') return pixelate(compositor, Math.max(2, Math.round(geometry.unit / pixelRows / 2) * 2))
  const { contrast, gain, lift, saturation, tint, vignette, grain } = grades[style]
  compositor.setFinish({ vignette, dither: grain })
  const { kernels, planes } = compositor
  const { paddedWidth, height } = geometry
  return () => {
    kernels.gradeLuma(planes.y, paddedWidth * 2, height, fixed(contrast), fixed(gain), fixed(lift))
    for (const [plane, moved] of [
      [planes.u, tint[0]],
      [planes.v, tint[1]],
    ] as const)
      kernels.gradeChroma(plane, paddedWidth, height >> 1, fixed(saturation / 2), Math.round((128 + moved) * 128))
  }
}

/** As a 15-bit share. */
function fixed(share: number): number {
  return Math.round(share * 32_767)
}

function pixelate(compositor: Compositor, side: number): Painter {
  const { kernels, planes, geometry } = compositor
  const { paddedWidth, height } = geometry
  // Smoothing dither would betray that the squares are drawn on a finer grid.
  compositor.setFinish({ vignette: 0, dither: 0 })
  return () => {
    kernels.pixelatePlane(planes.y, paddedWidth * 2, paddedWidth, height, side, pixelSteps.luma * 128)
    for (const plane of [planes.u, planes.v])
      kernels.pixelatePlane(plane, paddedWidth, paddedWidth >> 1, height >> 1, side >> 1, pixelSteps.chroma * 128)
  }
}
