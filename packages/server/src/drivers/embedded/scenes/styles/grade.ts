import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'

export interface Grade {
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

export function paintGrade({ compositor, geometry }: Stage, grade: Grade): Painter {
  const { contrast, gain, lift, saturation, tint, vignette, grain } = grade
  compositor.setFinish({ vignette, dither: grain })
  const { kernels, planes } = compositor
  const { paddedWidth, height } = geometry
  const curve = createCurve(compositor, (light) => (light + (light * light * (3 - 2 * light) - light) * contrast) * gain + lift)
  return () => {
    kernels.curveLuma(planes.y, paddedWidth * 2, height, curve)
    for (const [plane, moved] of [
      [planes.u, tint[0]],
      [planes.v, tint[1]],
    ] as const)
      kernels.gradeChroma(plane, paddedWidth, height >> 1, Math.round((saturation / 2) * 32_767), Math.round((128 + moved) * 128))
  }
}
