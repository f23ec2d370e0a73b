import { toFixedShare } from '../../picture/fixed-point.ts'
import { mix } from '../../picture/curves.ts'
import { reduceInto, allocateHalf } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'
import { measureStructure } from './image-structure.ts'
import { drawStrokes, placeStrokes, storeSamplePoints } from './strokes.ts'

const saturation = 1.3
/** Maximum random deviation of a stroke's color, in code values of Y, U and V. */
const deviationsMax = [7, 3.5, 3.5] as const

/**
 * Paints thick strokes that follow the shapes of the scene. The strokes keep their positions, and
 * take their colors from each frame.
 */
export function paintOil(stage: Stage, painters: readonly Painter[]): Painter {
  const { compositor } = stage
  const { kernels, arena, shorts } = compositor
  const random = stage.random('strokes')
  const [frameY, frameU, frameV] = [compositor.level('y'), compositor.level('u'), compositor.level('v')]
  const halfLevel = allocateHalf(compositor, frameY)
  const strokes = placeStrokes(stage, measureStructure(stage, painters), random)
  const drawnStrokes = drawStrokes(stage, strokes, random)
  const points = storeSamplePoints(stage, strokes)
  const count = strokes.length
  const bytes = Math.ceil(count / 8) * 16
  const colors = arena.allocate(bytes)
  const deviationAddresses = deviationsMax.map((deviationMax) => {
    const address = arena.allocate(bytes)
    for (let stroke = 0; stroke < count; stroke++)
      shorts[(address >> 1) + stroke] = (random() + random() - 1) * deviationMax * 128
    return address
  })
  const curve = createCurve(compositor, (light) => mix(light, light * light * (3 - 2 * light), 0.35) * 0.98 + 0.01)
  compositor.setFinish({ vignette: 0.16, dither: 1 })

  return () => {
    reduceInto(compositor, frameY, [halfLevel])
    for (const [index, [source, target]] of (
      [
        [halfLevel, frameY],
        [frameU, frameU],
        [frameV, frameV],
      ] as const
    ).entries()) {
      kernels.sampleStrokes(colors, deviationAddresses[index] ?? 0, points, count, source.address, source.strideBytes)
      if (index === 0) kernels.curveLuma(colors, bytes, 1, curve)
      else kernels.gradeChroma(colors, bytes, 1, toFixedShare(saturation / 2), 128 * 128)
      const runs = index === 0 ? drawnStrokes.luma : drawnStrokes.chroma
      kernels.fillStrokes(
        target.address,
        target.strideBytes,
        target.columns,
        target.rows,
        runs,
        colors,
        index === 0 ? drawnStrokes.light : 0,
      )
    }
  }
}
