import { toFixedShare } from '../../picture/fixed-point.ts'
import { forEachStripe } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'

/**
 * Imitates black-and-white film behind an orange filter, with high contrast: blue skies darken, and
 * clouds and faces stand out.
 */
export function paintMono({ compositor, geometry }: Stage): Painter {
  const { kernels, planes } = compositor
  const { paddedWidth, height } = geometry
  compositor.setFinish({ vignette: 0.36, dither: 2.2 })
  const curve = createCurve(compositor, (light) => {
    const toe = Math.max(0, light - 0.05) / 0.95
    return toe + (toe * toe * (3 - 2 * toe) - toe) * 0.85
  })
  const stride = paddedWidth * 2
  return () => {
    forEachStripe({ rows: height }, (rowFirst, rowEnd) => {
      const [luma, chroma] = [rowFirst * stride, (rowFirst >> 1) * paddedWidth]
      const [y, u, v] = [planes.y + luma, planes.u + chroma, planes.v + chroma]
      kernels.filterLuma(y, u, v, stride, (rowEnd - rowFirst) >> 1, toFixedShare(-0.5), toFixedShare(0.42))
      kernels.curveLuma(y, stride, rowEnd - rowFirst, curve)
      for (const plane of [u, v]) kernels.gradeChroma(plane, paddedWidth, (rowEnd - rowFirst) >> 1, 0, 128 * 128)
    })
  }
}
