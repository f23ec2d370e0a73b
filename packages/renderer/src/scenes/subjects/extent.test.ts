import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { Compositor } from '../../picture/compositor.ts'
import { createRandom } from '../../picture/random.ts'
import { subjectWords, type SubjectKind } from '../prompt/subject-words.ts'
import { Extent, type Box } from './extent.ts'
import { Figure } from './figure.ts'
import { presenceOf } from './kinds.ts'
import type { SubjectLight } from './light.ts'

const figureSpace = { width: 360, height: 280, foot: { x: 180, y: 200 }, size: 90, isMirrored: false, reliefCellPixels: 2 }
const { width, height, foot, size } = figureSpace
const compositor = new Compositor(
  { width: 320, height: 180 },
  new WebAssembly.Memory({ initial: 400, maximum: 400, shared: true }),
)
const light: SubjectLight = {
  x: 0,
  y: -1,
  litColor: [255, 255, 255],
  plainColor: [200, 200, 200],
  shadedColor: [90, 90, 90],
  rimColor: [255, 255, 255],
  rimShare: 0.5,
  hazeColor: [128, 128, 128],
  hazeShare: 0,
  groundShadow: { color: [0, 0, 0], strength: 0.4, length: 0.4 },
}

/** A figure that records the extents of its parts. */
class RecordingFigure extends Figure {
  readonly parts: { extent: Box | undefined; drawn: Box }[] = []
  readonly #canvas = createCanvas(width, height)
  readonly #context = this.#canvas.getContext('2d')
  readonly #extent = new Extent(this.#context)

  override part(draw: (context: SKRSContext2D) => void): void {
    this.#context.reset()
    this.#context.translate(foot.x, foot.y)
    this.#context.scale(size, size)
    draw(this.#context)
    const drawn = boxOf(this.#canvas.data())
    if (drawn.right > 0) this.parts.push({ extent: this.#extent.clippedTo(width, height), drawn })
  }

  override glow(draw: (context: SKRSContext2D) => void): void {
    this.part(draw)
  }
}

function boxOf(rgba: Uint8Array): Box {
  const box = { left: width, top: height, right: 0, bottom: 0 }
  for (let index = 3; index < rgba.length; index += 4) {
    if (rgba[index] === 0) continue
    const [x, y] = [((index - 3) / 4) % width, Math.floor((index - 3) / 4 / width)]
    box.left = Math.min(box.left, x)
    box.top = Math.min(box.top, y)
    box.right = Math.max(box.right, x + 1)
    box.bottom = Math.max(box.bottom, y + 1)
  }
  return box
}

const models = (Object.keys(subjectWords) as SubjectKind[]).flatMap((kind) =>
  ([undefined, 'runs', 'sits'] as const).flatMap((motion) => {
    const presence = presenceOf({ kind, count: 1, color: undefined, motion })
    if (!('model' in presence) || (motion && presence.moves !== 'walks')) return []
    return [[motion ? `${kind} that ${motion}` : kind, presence.model, motion] as const]
  }),
)

describe('drawing extents', () => {
  it.each(models)('the extents of all parts of the %s contain their pixels', (_, model, motion) => {
    const figure = new RecordingFigure(compositor, { ...figureSpace, light })
    for (const phase of [0.1, 0.6]) {
      model.draw(figure, phase, {
        color: undefined,
        variant: 1,
        isDark: true,
        season: undefined,
        motion,
        rider: undefined,
        createRandom: () => createRandom(1),
      })
    }
    expect(figure.parts).not.toEqual([])
    for (const { extent, drawn } of figure.parts) {
      expect(extent?.left).toBeLessThanOrEqual(drawn.left)
      expect(extent?.top).toBeLessThanOrEqual(drawn.top)
      expect(extent?.right).toBeGreaterThanOrEqual(drawn.right)
      expect(extent?.bottom).toBeGreaterThanOrEqual(drawn.bottom)
    }
  })

  it('an extent follows the transforms, and is undefined before a drawing and after a reset', () => {
    const context = createCanvas(width, height).getContext('2d')
    const extent = new Extent(context)
    expect(extent.clippedTo(width, height)).toBeUndefined()
    context.translate(100, 50)
    context.scale(2, 2)
    context.fillRect(0, 0, 10, 20)
    expect(extent.clippedTo(width, height)).toEqual({ left: 99, top: 49, right: 121, bottom: 91 })
    context.reset()
    expect(extent.clippedTo(width, height)).toBeUndefined()
  })
})
