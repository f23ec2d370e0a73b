import { describe, expect, it } from 'vitest'
import { Compositor } from '../../../picture/compositor.ts'
import { createRandom } from '../../../picture/random.ts'
import { subjectWords, type SubjectKind } from '../../prompt/subject-words.ts'
import { Figure } from '../figure.ts'
import { presenceOf } from '../kinds.ts'
import type { SubjectLight } from '../light.ts'

const light: SubjectLight = {
  x: 0.5,
  y: -0.86,
  litColor: [255, 250, 240],
  plainColor: [200, 200, 200],
  shadedColor: [100, 100, 110],
  rimColor: [255, 255, 255],
  rimShare: 0.5,
  hazeColor: [128, 128, 128],
  hazeShare: 0,
  groundShadow: { color: [0, 0, 0], strength: 0.4, length: 0.4 },
}
const size = 60
const compositor = new Compositor(
  { width: 320, height: 180 },
  new WebAssembly.Memory({ initial: 400, maximum: 400, shared: true }),
)
const faintAlpha = 12

const kinds = (Object.keys(subjectWords) as SubjectKind[]).flatMap((kind) =>
  ([undefined, 'runs', 'rests', 'sits'] as const).flatMap((motion) => {
    const presence = presenceOf({ kind, count: 1, color: undefined, motion })
    if (!('model' in presence) || (motion && presence.moves !== 'walks')) return []
    return [[motion ? `${kind} that ${motion}` : kind, presence.model, motion] as const]
  }),
)

describe('figure drawings', () => {
  it.each(kinds)('no pose of the %s is cut off, and the poses of a cycle differ', (_, model, motion) => {
    const width = Math.ceil(model.reach.side * size) * 2
    const height = Math.ceil(((model.reach.up + model.reach.down) * size) / 2) * 2
    const figure = new Figure(compositor, {
      width,
      height,
      foot: { x: width / 2, y: model.reach.up * size },
      size,
      isMirrored: false,
      reliefCellPixels: 2,
      light,
    })
    const alpha = (x: number, y: number): number => figure.pixels[(y * width + x) * 4 + 3] ?? 0
    const poseCount = model.cycle?.poseCount ?? 1
    for (let variant = 0; variant < (model.variantCount ?? 1); variant++) {
      const shapes = new Set<string>()
      for (let pose = 0; pose < poseCount; pose++) {
        figure.clear()
        model.draw(figure, pose / poseCount, {
          color: undefined,
          variant,
          isDark: true,
          season: undefined,
          motion,
          rider: undefined,
          createRandom: () => createRandom(variant),
        })
        let edge = 0
        for (let x = 0; x < width; x++) edge = Math.max(edge, alpha(x, 0), alpha(x, height - 1))
        for (let y = 0; y < height; y++) edge = Math.max(edge, alpha(0, y), alpha(width - 1, y))
        expect(edge, `variant ${variant}, pose ${pose}`).toBeLessThanOrEqual(faintAlpha)
        shapes.add(Buffer.from(figure.pixels).toString('base64'))
      }
      expect(shapes.size).toBeGreaterThanOrEqual(Math.min(poseCount, 2))
    }
  })
})
