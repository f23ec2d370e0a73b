import { mixRgb, type Rgb } from '../../picture/color.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { drawFish } from './figures/fish.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax } from './spread.ts'

export interface Stroke {
  /** Speed in units per second. */
  speed: number
  /** Vertical position of the first subject, as a share of the frame's height from the top. */
  heightShare: number
  /** Minimum number of subjects, even if the prompt asks for fewer. */
  countMin?: number
  /** Vertical motion with each beat, in units. */
  pulse?: number
}

/**
 * Paints subjects that swim through water or float through the air. The first is the largest, and
 * the others surround it.
 */
export function paintSwimming(stage: Stage, subject: Subject, model: Model, stroke: Stroke, order: number): Painter {
  const { geometry } = stage
  const { unit, width, height: frameHeight } = geometry
  const random = stage.random(`swimming ${subject.kind}`)
  const isFacingLeft = random() < 0.5 !== (order % 2 === 1)
  const { up, down, side: reach } = model.reach
  // A swimmer in the air stays above the horizon.
  const availableHeight = stage.brief.place === 'underwater' ? frameHeight : stage.horizon * 0.95
  const height = Math.min(model.height * unit, (width * 0.92) / (reach * 2), availableHeight / (up + down))
  const halfWidth = reach * height
  const members = Array.from({ length: Math.min(membersMax, Math.max(stroke.countMin ?? 1, subject.count)) }, (_, index) => {
    const rank = (index + 1) >> 1
    return {
      x: width * 0.5 + (index % 2 ? 1 : -1) * rank * halfWidth * 1.15 + (random() - 0.5) * halfWidth * 0.5,
      y: frameHeight * (stroke.heightShare + (index % 2 ? 0.1 : -0.09) * rank ** 0.8 + (random() - 0.5) * 0.05),
      size: index === 0 ? 1 : 0.5 + 0.32 * random(),
      phase: random(),
    }
  }).toSorted((a, b) => a.size - b.size)
  const pace = model.cycle?.pace ?? 1
  const speed = Math.min(stroke.speed * unit, (width * 0.5) / stage.seconds)
  const stillSeconds = stage.moment(0).seconds
  const beatOf = (phase: number, seconds: number): number => seconds * pace * (0.85 + 0.3 * phase) + phase
  const poses = drawPoses(stage, subject, model, {
    height,
    x: width / 2,
    ground: frameHeight * stroke.heightShare,
    distance: 0.15,
    isFacingLeft,
    stillPhases: members.map(({ phase }) => beatOf(phase, stillSeconds) % 1),
  })
  return (moment) => {
    const distance = (moment.seconds - stage.seconds / 2) * speed * (isFacingLeft ? -1 : 1)
    for (const [index, { x, y, size, phase }] of members.entries()) {
      const beat = beatOf(phase, moment.seconds)
      const rise =
        Math.sin(moment.seconds * 0.9 + phase * 6.28) * stage.toPixels(5) + Math.sin(beat * 6.28 - 1) * unit * (stroke.pulse ?? 0)
      const placement = { x: x + distance * (0.85 + 0.3 * phase), y: y + rise }
      showPose(stage, poses, { ...placement, depth: 0.16, phase: beat, member: index, size }, moment)
    }
  }
}

const shoalPoses = 6

/** Paints the many small fish in the distance of every underwater scene. */
export function paintShoal(stage: Stage, color: Rgb): Painter {
  const { unit, width, height } = stage.geometry
  const random = stage.random('shoal')
  const isFacingLeft = random() < 0.5
  const length = unit * 0.034
  const sprites = Array.from({ length: shoalPoses }, (_, pose): Layer => {
    const pale = mixRgb(color, [255, 255, 255], 0.25)
    return stage.compositor.layer(length * 1.16, length * 0.64, (context, layerWidth, layerHeight) => {
      context.translate(layerWidth / 2, layerHeight / 2)
      context.scale(isFacingLeft ? -length : length, length)
      drawFish(context, color, pale, pose / shoalPoses)
    })
  })
  const center = { x: 0.3 + 0.4 * random(), y: 0.26 + 0.14 * random() }
  const members = Array.from({ length: 34 }, () => {
    const [offsetX, offsetY] = [random() + random() - 1, random() + random() - 1]
    return {
      x: width * (center.x + offsetX * 0.2),
      y: height * (center.y + offsetY * 0.1 + offsetX * 0.05),
      scale: 0.7 + 0.5 * random(),
      phase: random(),
    }
  })
  return (moment) => {
    const distance = (moment.seconds - stage.seconds / 2) * Math.min(unit * 0.03, (width * 0.5) / stage.seconds)
    for (const { x, y, scale, phase } of members) {
      const beat = moment.seconds * 1.9 * (0.85 + 0.3 * phase) + phase
      const sprite = sprites[Math.floor((beat % 1) * shoalPoses)]
      if (!sprite) continue
      const left = x + (isFacingLeft ? -distance : distance) * (0.85 + 0.3 * phase) - (sprite.width * scale) / 2
      const top = y + Math.sin(moment.seconds * 0.9 + phase * 6.28) * stage.toPixels(5) - (sprite.height * scale) / 2
      stage.drawAt(sprite, { x: left, y: top, depth: 0.07, scale }, moment)
    }
  }
}
