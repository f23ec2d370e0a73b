import { lightYuv } from '../../picture/colour.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax } from './spread.ts'

/** Seconds from leap to leap, and the share of them in the air. */
const period = 2.4
const airborne = 0.52

/** Subjects that leap out of the water in an arc and dive in again, with splashes. */
export function paintLeaping(stage: Stage, subject: Subject, model: Model, water: { ground: number; depth: number }): Painter {
  const { geometry, compositor, palette, horizon } = stage
  const { unit, width } = geometry
  const random = stage.random(`leaping ${subject.kind}`)
  const facesLeft = random() < 0.5
  const direction = facesLeft ? -1 : 1
  const height = model.height * unit
  const reach = unit * 0.62
  const still = stage.moment(0).seconds
  const members = Array.from({ length: Math.min(membersMax, subject.count) }, (_, index) => {
    const near = index === 0 ? 1 : 0.5 + 0.4 * random()
    return {
      x: width * (0.5 + (index === 0 ? 0 : (index % 2 ? 1 : -1) * (0.1 + 0.1 * index) + (random() - 0.5) * 0.1)),
      near,
      waterline: horizon + (water.ground - horizon) * near * near,
      // In a still image, the first is at the height of its leap.
      lead: airborne * (index === 0 ? 0.52 : 0.25 + 0.5 * random()) - still / period,
    }
  }).toSorted((a, b) => a.near - b.near)
  const model_: Model = {
    ...model,
    reach: { side: model.reach.side, up: 0.62, down: 0.62 },
    cycle: { poses: 12, pace: 1 },
    draw(figure, phase, look) {
      // Nose up at the start, down at the end: `phase` is the share of the leap.
      figure.posed({ angle: -0.95 + phase * 1.9 }, () => model.draw(figure, phase * 0.6, look))
    },
  }
  const poses = drawPoses(stage, subject, model_, {
    height,
    x: width / 2,
    ground: water.ground,
    distance: 0.2,
    facesLeft,
    stillPhases: members.map(({ lead }) => Math.min(0.999, airOf(lead, still))),
  })
  const foam = lightYuv(palette.rim)
  const drops = Array.from({ length: 26 }, () => ({ across: random() - 0.5, up: random(), size: 0.5 + random() }))
  const splash = (x: number, waterline: number, age: number, near: number): void => {
    if (age < 0 || age > 1) return
    for (const { across, up, size } of drops) {
      const y = waterline - unit * 0.11 * near * up * Math.sin(Math.min(1, age * 1.15) * Math.PI)
      const spread = unit * 0.13 * near * across * (0.4 + age)
      const strength = (1 - age) * 0.6
      compositor.addSpot(x + spread, y, Math.max(1.2, stage.pixels(3.6 * size * near)), [
        foam[0] * strength,
        foam[1] * strength,
        foam[2] * strength,
      ])
    }
  }
  return (moment) => {
    for (const [index, { x, near, waterline, lead }] of members.entries()) {
      const air = airOf(lead, moment.seconds)
      const point = (share: number): number => x + direction * (share - 0.5) * reach * near
      splash(point(0.08), waterline, air * 1.6, near)
      splash(point(0.94), waterline, (air - 0.86) * 1.6, near)
      if (air > 1.02) continue
      const share = Math.min(0.999, air)
      const up = Math.sin(share * Math.PI) * unit * 0.26 * near - unit * 0.03
      showPose(
        stage,
        poses,
        {
          x: point(share),
          y: waterline - up,
          depth: water.depth * near,
          phase: share,
          member: index,
          size: near,
          rowEnd: Math.round(waterline),
        },
        moment,
      )
    }
  }
}

/** Progress of a leap, 0 to 1; above 1 under water. */
function airOf(lead: number, seconds: number): number {
  const turn = seconds / period + lead
  return (turn - Math.floor(turn)) / airborne
}
