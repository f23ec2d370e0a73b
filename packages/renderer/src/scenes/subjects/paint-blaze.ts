import { lightYuv } from '../../picture/color.ts'
import { paintEmbers } from '../air/embers.ts'
import { wrap } from '../air/wrap.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { blaze } from './figures/blaze.ts'
import { drawPoses, showPose } from './poses.ts'

/** The burning subject: its foot and extent, in pixels of the resting camera. */
export interface BurningSubject {
  x: number
  ground: number
  halfWidth: number
  subjectHeight: number
  depth: number
}

/** Flames: their positions as shares of the half width and the height, and their sizes. */
const outbreaks = [
  { shareX: -0.62, shareY: 0.3, size: 0.62 },
  { shareX: 0.6, shareY: 0.28, size: 0.56 },
  { shareX: 0.3, shareY: 0.66, size: 0.5 },
  { shareX: -0.24, shareY: 0.72, size: 0.58 },
  { shareX: -0.02, shareY: 0.34, size: 0.74 },
  { shareX: 0.1, shareY: 0.8, size: 0.4 },
] as const
const puffCount = 9

/** Paints flames in several places of a burning subject, smoke above it, sparks, and light. */
export function paintBlaze(
  stage: Stage,
  subject: Subject,
  { x, ground, halfWidth, subjectHeight, depth }: BurningSubject,
): Painter {
  const { compositor, geometry } = stage
  const { unit } = geometry
  const random = stage.random('blaze')
  const height = subjectHeight * 0.52
  const stillPhase = stage.moment(0).seconds * (blaze.cycle?.pace ?? 1)
  const poses = drawPoses(stage, { ...subject, color: undefined }, blaze, {
    height,
    x,
    ground,
    distance: 0,
    stillPhases: outbreaks.map((_, index) => (stillPhase + index * 0.37) % 1),
  })
  const sparks = paintEmbers(stage, { x, y: ground - subjectHeight * 0.4, width: halfWidth * 1.6, height: subjectHeight * 1.5 })
  const puffs = Array.from({ length: puffCount }, () => ({ age: random(), sideOffset: random() - 0.5, turn: random() * 6.28 }))
  const fire = lightYuv([255, 128, 40])
  return (moment) => {
    const { seconds } = moment
    const middle = stage.project(x, ground - subjectHeight * 0.5, depth, moment)
    for (const { age, sideOffset, turn } of puffs) {
      const life = wrap(age + seconds * 0.16)
      const opacity = Math.min(1, life * 5) * (1 - life) ** 1.2
      const puffX =
        middle.x + (sideOffset * halfWidth + (Math.sin(turn + seconds * 0.5) * 0.1 + life * 0.5) * subjectHeight) * middle.zoom
      const puffY = middle.y - (0.3 + life * 1.1) * subjectHeight
      compositor.addSpot(puffX, puffY, subjectHeight * (0.16 + 0.26 * life), [-46 * opacity, 0, 0])
    }
    const flicker = 0.86 + 0.09 * Math.sin(seconds * 11) + 0.05 * Math.sin(seconds * 17.3)
    compositor.addSpot(middle.x, middle.y, Math.min(unit * 0.6, subjectHeight * 1.1), [
      fire[0] * 0.34 * flicker,
      fire[1] * 0.5 * flicker,
      fire[2] * 0.5 * flicker,
    ])
    for (const [index, { shareX, shareY, size }] of outbreaks.entries())
      showPose(
        stage,
        poses,
        {
          x: x + shareX * halfWidth,
          y: ground - shareY * subjectHeight,
          depth,
          phase: seconds * (blaze.cycle?.pace ?? 1) + index * 0.37,
          member: index,
          size,
        },
        moment,
      )
    sparks(moment)
  }
}
