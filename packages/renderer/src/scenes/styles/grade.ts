import { toFixedSample, toFixedShare } from '../../picture/fixed-point.ts'
import { forEachStripe } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'

export interface Grade {
  /** Share of an S-curve in the curve of the light. */
  contrast: number
  /** Factor of the light after the curve. */
  gain: number
  /** Light that is added after the gain, from 0 to 1. */
  lift: number
  /** Factor of the colors' distance from gray. */
  saturation: number
  /** Code values by which gray moves in U and V, in shadows and in lights. */
  shadows: readonly [u: number, v: number]
  lights: readonly [u: number, v: number]
  vignette: number
  /** Strength of the dither, in code values. */
  grain: number
}

export function paintGrade(stage: Stage, grade: Grade): Painter {
  const gradeRows = createGrade(stage, grade)
  const frame = stage.compositor.level('y')
  return () => forEachStripe(frame, gradeRows)
}

/** Creates a function that grades a range of rows. Both bounds must be even. */
export function createGrade({ compositor, geometry }: Stage, grade: Grade): (rowFirst: number, rowEnd: number) => void {
  const { contrast, gain, lift, saturation, shadows, lights, vignette, grain } = grade
  compositor.setFinish({ vignette, dither: grain })
  const { kernels, planes } = compositor
  const stride = geometry.paddedWidth * 2
  const curve = createCurve(compositor, (light) => (light + (light * light * (3 - 2 * light) - light) * contrast) * gain + lift)
  const halfSaturation = toFixedShare(saturation / 2)
  return (rowFirst, rowEnd) => {
    const luma = planes.y + rowFirst * stride
    kernels.curveLuma(luma, stride, rowEnd - rowFirst, curve)
    for (const [index, plane] of [planes.u, planes.v].entries()) {
      const [dark, light] = [toFixedSample(128 + (shadows[index] ?? 0)), toFixedSample(128 + (lights[index] ?? 0))]
      const chroma = plane + (rowFirst >> 1) * (stride >> 1)
      kernels.toneChroma(chroma, luma, stride, (rowEnd - rowFirst) >> 1, halfSaturation, dark, light)
    }
  }
}
