import { lightYuv } from '../../picture/colour.ts'
import { paintEmbers } from '../air/embers.ts'
import { wrapped } from '../air/wrapped.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import { blaze } from './figures/blaze.ts'
import { drawPoses, showPose } from './poses.ts'

/** The burning subject: its foot and extent, in pixels of the resting camera. */
export interface Burning {
  x: number
  ground: number
  half: number
  tall: number
  depth: number
}

/** Positions of flames, in shares of the half width and the height, and their sizes. */
const outbreaks = [
  { across: -0.62, up: 0.3, size: 0.62 },
  { across: 0.6, up: 0.28, size: 0.56 },
  { across: 0.3, up: 0.66, size: 0.5 },
  { across: -0.24, up: 0.72, size: 0.58 },
  { across: -0.02, up: 0.34, size: 0.74 },
  { across: 0.1, up: 0.8, size: 0.4 },
] as const
const puffs = 9

/** Flames out of several places of a building, smoke above it, sparks, and the light of it all. */
export function paintBlaze(stage: Stage, subject: Subject, { x, ground, half, tall, depth }: Burning): Painter {
  const { compositor, geometry } = stage
  const { unit } = geometry
  const random = stage.random('blaze')
  const height = tall * 0.52
  const still = stage.moment(0).seconds * (blaze.cycle?.pace ?? 1)
  const poses = drawPoses(stage, { ...subject, colour: undefined }, blaze, {
    height,
    x,
    ground,
    distance: 0,
    stillPhases: outbreaks.map((_, index) => (still + index * 0.37) % 1),
  })
  const sparks = paintEmbers(stage, { x, y: ground - tall * 0.4, wide: half * 1.6, high: tall * 1.5 })
  const smoke = Array.from({ length: puffs }, () => ({ age: random(), aside: random() - 0.5, turn: random() * 6.28 }))
  const fire = lightYuv([255, 128, 40])
  return (moment) => {
    const { seconds } = moment
    const middle = stage.project(x, ground - tall * 0.5, depth, moment)
    for (const { age, aside, turn } of smoke) {
      const life = wrapped(age + seconds * 0.16)
      const thick = Math.min(1, life * 5) * (1 - life) ** 1.2
      const across = middle.x + (aside * half + (Math.sin(turn + seconds * 0.5) * 0.1 + life * 0.5) * tall) * middle.zoom
      const up = middle.y - (0.3 + life * 1.1) * tall
      compositor.addSpot(across, up, tall * (0.16 + 0.26 * life), [-46 * thick, 0, 0])
    }
    const flicker = 0.86 + 0.09 * Math.sin(seconds * 11) + 0.05 * Math.sin(seconds * 17.3)
    compositor.addSpot(middle.x, middle.y, Math.min(unit * 0.6, tall * 1.1), [
      fire[0] * 0.34 * flicker,
      fire[1] * 0.5 * flicker,
      fire[2] * 0.5 * flicker,
    ])
    for (const [index, { across, up, size }] of outbreaks.entries())
      showPose(
        stage,
        poses,
        {
          x: x + across * half,
          y: ground - up * tall,
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
