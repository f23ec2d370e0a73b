import { asSample, asShare } from '../../picture/fixed-point.ts'
import { inStripes } from '../../picture/pyramid.ts'
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

export function paintGrade(stage: Stage, grade: Grade): Painter {
  const gradeRows = createGrade(stage, grade)
  const frame = stage.compositor.level('y')
  return () => inStripes(frame, gradeRows)
}

/** Grades some rows of the frame, from an even one to an even one. */
export function createGrade({ compositor, geometry }: Stage, grade: Grade): (rowFirst: number, rowEnd: number) => void {
  const { contrast, gain, lift, saturation, shadows, lights, vignette, grain } = grade
  compositor.setFinish({ vignette, dither: grain })
  const { kernels, planes } = compositor
  const stride = geometry.paddedWidth * 2
  const curve = createCurve(compositor, (light) => (light + (light * light * (3 - 2 * light) - light) * contrast) * gain + lift)
  const halfSaturation = asShare(saturation / 2)
  return (rowFirst, rowEnd) => {
    const luma = planes.y + rowFirst * stride
    kernels.curveLuma(luma, stride, rowEnd - rowFirst, curve)
    for (const [index, plane] of [planes.u, planes.v].entries()) {
      const [dark, light] = [asSample(128 + (shadows[index] ?? 0)), asSample(128 + (lights[index] ?? 0))]
      const chroma = plane + (rowFirst >> 1) * (stride >> 1)
      kernels.toneChroma(chroma, luma, stride, (rowEnd - rowFirst) >> 1, halfSaturation, dark, light)
    }
  }
}
