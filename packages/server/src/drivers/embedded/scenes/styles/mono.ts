import { asShare } from '../../picture/fixed-point.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'

/** Black and white film behind an orange filter: blue skies darken, clouds and faces stand out, shadows go to black. */
export function paintMono({ compositor, geometry }: Stage): Painter {
  const { kernels, planes } = compositor
  const { paddedWidth, height } = geometry
  compositor.setFinish({ vignette: 0.36, dither: 2.2 })
  const curve = createCurve(compositor, (light) => {
    const toe = Math.max(0, light - 0.05) / 0.95
    return toe + (toe * toe * (3 - 2 * toe) - toe) * 0.85
  })
  return () => {
    kernels.filterLuma(planes.y, planes.u, planes.v, paddedWidth * 2, height >> 1, asShare(-0.5), asShare(0.42))
    kernels.curveLuma(planes.y, paddedWidth * 2, height, curve)
    for (const plane of [planes.u, planes.v]) kernels.gradeChroma(plane, paddedWidth, height >> 1, 0, 128 * 128)
  }
}
