import { asShare } from '../../picture/fixed-point.ts'
import { mix } from '../../picture/curves.ts'
import { reduceInto, takeHalf } from '../../picture/pyramid.ts'
import type { Painter, Stage } from '../stage.ts'
import { createCurve } from './curve.ts'
import { readForm } from './form.ts'
import { layStrokes, placeStrokes, storePlaces } from './strokes.ts'

const saturation = 1.3
/** Random deviation of strokes, in code values of Y, U and V. */
const deviation = [7, 3.5, 3.5] as const

/**
 * Paints thick strokes that follow the shapes. They keep their positions and take their colors from
 * the motion beneath them.
 */
export function paintOil(stage: Stage, below: readonly Painter[]): Painter {
  const { compositor } = stage
  const { kernels, arena, shorts } = compositor
  const random = stage.random('strokes')
  const [frameY, frameU, frameV] = [compositor.level('y'), compositor.level('u'), compositor.level('v')]
  const half = takeHalf(compositor, frameY)
  const strokes = placeStrokes(stage, readForm(stage, below), random)
  const laid = layStrokes(stage, strokes, random)
  const places = storePlaces(stage, strokes)
  const count = strokes.length
  const bytes = Math.ceil(count / 8) * 16
  const colours = arena.take(bytes)
  const deviations = deviation.map((range) => {
    const address = arena.take(bytes)
    for (let stroke = 0; stroke < count; stroke++) shorts[(address >> 1) + stroke] = (random() + random() - 1) * range * 128
    return address
  })
  const curve = createCurve(compositor, (light) => mix(light, light * light * (3 - 2 * light), 0.35) * 0.98 + 0.01)
  compositor.setFinish({ vignette: 0.16, dither: 1 })

  return () => {
    reduceInto(compositor, frameY, [half])
    for (const [index, [source, target]] of (
      [
        [half, frameY],
        [frameU, frameU],
        [frameV, frameV],
      ] as const
    ).entries()) {
      kernels.sampleStrokes(colours, deviations[index] ?? 0, places, count, source.address, source.strideBytes)
      if (index === 0) kernels.curveLuma(colours, bytes, 1, curve)
      else kernels.gradeChroma(colours, bytes, 1, asShare(saturation / 2), 128 * 128)
      const runs = index === 0 ? laid.luma : laid.chroma
      kernels.fillStrokes(
        target.address,
        target.strideBytes,
        target.columns,
        target.rows,
        runs,
        colours,
        index === 0 ? laid.relief : 0,
      )
    }
  }
}
