import { asSample, asShare } from '../../picture/fixed-point.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'

export interface Grade {
  /** Share of an S-curve in the light, then its gain and what is added, 0 to 1. */
  contrast: number
  gain: number
  lift: number
  saturation: number
  /** Code values by which grey moves in U and V, where it is dark and where it is light. */
  shadows: readonly [u: number, v: number]
  lights: readonly [u: number, v: number]
  vignette: number
  grain: number
}

export function paintGrade({ compositor, geometry }: Stage, grade: Grade): Painter {
  const { contrast, gain, lift, saturation, shadows, lights, vignette, grain } = grade
  compositor.setFinish({ vignette, dither: grain })
  const { kernels, planes } = compositor
  const { paddedWidth, height } = geometry
  const curve = createCurve(compositor, (light) => (light + (light * light * (3 - 2 * light) - light) * contrast) * gain + lift)
  const halfSaturation = asShare(saturation / 2)
  return () => {
    kernels.curveLuma(planes.y, paddedWidth * 2, height, curve)
    for (const [index, plane] of [planes.u, planes.v].entries()) {
      const [dark, light] = [asSample(128 + (shadows[index] ?? 0)), asSample(128 + (lights[index] ?? 0))]
      kernels.toneChroma(plane, planes.y, paddedWidth * 2, height >> 1, halfSaturation, dark, light)
    }
  }
}
