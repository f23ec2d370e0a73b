import type { Layer } from '../../picture/compositor.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Figure } from './figure.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { spread } from './spread.ts'

/** Number of images of a moving reflection. */
const reflectionPhases = 10
/** Frame pixels per pixel of a reflection. Water blurs it, so it is coarser. */
const reflectionScale = 2

/**
 * Paints subjects that float, with a broken reflection. The reflection of the first pose is drawn
 * once for each of several wave phases, or once for a still.
 */
export function paintFloating(
  stage: Stage,
  subject: Subject,
  model: Model,
  position: { ground: number; depth: number; order: number; size: number },
): Painter {
  const { geometry, horizon } = stage
  const random = stage.random(`floating ${subject.kind}`)
  const height = model.height * geometry.unit * position.size
  const isFacingLeft = random() < 0.5
  const xs = spread(subject.count, { order: position.order, halfWidth: (model.reach.side * height) / geometry.width, random })
  const members = xs
    .map((x, index) => ({ x, nearness: index === 0 ? 1 : 0.5 + 0.36 * random(), phase: random() }))
    .toSorted((a, b) => a.nearness - b.nearness)
  const pace = model.cycle?.pace ?? 0
  const reflections: Layer[] = []
  const poses = drawPoses(stage, subject, model, {
    height,
    x: (xs[0] ?? 0.5) * geometry.width,
    ground: position.ground,
    distance: 0.2,
    isFacingLeft,
    stillPhases: members.map(({ phase }) => (stage.moment(0).seconds * pace + phase) % 1),
    onDrawn: (figure, foot) => {
      if (reflections.length > 0) return
      for (let phase = 0; phase < (stage.isStill ? 1 : reflectionPhases); phase++)
        reflections.push(drawReflection(stage, figure, foot.y, phase / reflectionPhases))
    },
  })
  return (moment) => {
    for (const [index, { x, nearness, phase }] of members.entries()) {
      const heave = Math.sin(moment.seconds * 1.1 + phase * 6.28) * stage.toPixels(2.2) * nearness
      const drift = (moment.progress - 0.5) * geometry.width * 0.035 * (isFacingLeft ? -1 : 1)
      // A farther subject is smaller and floats nearer to the horizon.
      const waterline = horizon + (position.ground - horizon) * nearness * nearness
      const placement = { x: x * geometry.width + drift, depth: position.depth * nearness }
      const wave = Math.floor(((moment.seconds * 0.8 + phase) % 1) * reflections.length)
      const reflection = reflections[wave]
      const scale = poses.scale * nearness
      if (reflection)
        stage.drawAt(
          reflection,
          {
            x: placement.x - poses.foot.x * scale,
            y: waterline - heave * 0.4,
            depth: placement.depth,
            scale: scale * reflectionScale,
            opacity: 0.52,
          },
          moment,
        )
      showPose(
        stage,
        poses,
        { ...placement, y: waterline + heave, phase: moment.seconds * pace + phase, member: index, size: nearness },
        moment,
      )
    }
  }
}

/**
 * Draws the reflection: the part of the figure above the waterline, upside down. Waves shift the
 * rows of the reflection, and it fades downward. `foot` is the row of the waterline in the figure.
 */
function drawReflection(stage: Stage, figure: Figure, foot: number, phase: number): Layer {
  const { compositor } = stage
  const { address, stride } = figure.area
  const width = Math.max(32, Math.ceil(figure.width / reflectionScale / 2) * 2)
  const height = Math.max(8, Math.ceil((foot * 0.82) / reflectionScale / 2) * 2)
  const pixels = figure.space().allocate(width * height * 4)
  for (let row = 0; row < height; row++) {
    const heightShare = row / height
    const turn = phase * Math.PI * 2
    const wave =
      Math.sin((row * reflectionScale) / stage.toPixels(3.2 + 5 * heightShare) - turn) +
      0.5 * Math.sin((row * reflectionScale) / stage.toPixels(7) + turn * 2)
    const shift = wave * stage.toPixels(2 + 7 * heightShare)
    const sourceRow = Math.round(foot - row * reflectionScale * 1.2 - 1)
    const opacity = sourceRow < 0 ? 0 : (1 - heightShare) * 0.95
    compositor.kernels.reflectRow(
      pixels + row * width * 4,
      width,
      address + Math.max(0, sourceRow) * stride,
      figure.width,
      Math.round(shift),
      Math.round(opacity * 65_536),
    )
  }
  return compositor.layerAt(width, height, pixels)
}
