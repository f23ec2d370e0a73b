import { lightYuv } from '../../picture/color.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'
import { membersMax } from './spread.ts'

/** Time from the start of a leap to the start of the next. */
const periodSeconds = 2.4
/** Share of the period in the air. */
const airborneShare = 0.52

/** Paints subjects that leap out of the water in an arc and dive again, with splashes. */
export function paintLeaping(stage: Stage, subject: Subject, model: Model, water: { ground: number; depth: number }): Painter {
  const { geometry, compositor, palette, horizon } = stage
  const { unit, width } = geometry
  const random = stage.random(`leaping ${subject.kind}`)
  const isFacingLeft = random() < 0.5
  const direction = isFacingLeft ? -1 : 1
  const height = model.height * unit
  const leapLength = unit * 0.62
  const stillSeconds = stage.moment(0).seconds
  const members = Array.from({ length: Math.min(membersMax, subject.count) }, (_, index) => {
    const nearness = index === 0 ? 1 : 0.5 + 0.4 * random()
    return {
      x: width * (0.5 + (index === 0 ? 0 : (index % 2 ? 1 : -1) * (0.1 + 0.1 * index) + (random() - 0.5) * 0.1)),
      nearness,
      waterline: horizon + (water.ground - horizon) * nearness * nearness,
      // In a still, the first animal is near the top of its leap.
      phaseOffset: airborneShare * (index === 0 ? 0.52 : 0.25 + 0.5 * random()) - stillSeconds / periodSeconds,
    }
  }).toSorted((a, b) => a.nearness - b.nearness)
  const leapingModel: Model = {
    ...model,
    reach: { side: model.reach.side, up: 0.62, down: 0.62 },
    cycle: { poseCount: 12, pace: 1 },
    draw(figure, phase, look) {
      // `phase` is the progress of the leap. The nose points up at its start and down at its end.
      figure.pose({ angle: -0.95 + phase * 1.9 }, () => model.draw(figure, phase * 0.6, look))
    },
  }
  const poses = drawPoses(stage, subject, leapingModel, {
    height,
    x: width / 2,
    ground: water.ground,
    distance: 0.2,
    isFacingLeft,
    stillPhases: members.map(({ phaseOffset }) => Math.min(0.999, leapProgressAt(phaseOffset, stillSeconds))),
  })
  const foam = lightYuv(palette.rim)
  const drops = Array.from({ length: 26 }, () => ({ offsetX: random() - 0.5, lift: random(), size: 0.5 + random() }))
  const splash = (x: number, waterline: number, age: number, nearness: number): void => {
    if (age < 0 || age > 1) return
    for (const { offsetX, lift, size } of drops) {
      const y = waterline - unit * 0.11 * nearness * lift * Math.sin(Math.min(1, age * 1.15) * Math.PI)
      const spread = unit * 0.13 * nearness * offsetX * (0.4 + age)
      const strength = (1 - age) * 0.6
      compositor.addSpot(x + spread, y, Math.max(1.2, stage.toPixels(3.6 * size * nearness)), [
        foam[0] * strength,
        foam[1] * strength,
        foam[2] * strength,
      ])
    }
  }
  return (moment) => {
    for (const [index, { x, nearness, waterline, phaseOffset }] of members.entries()) {
      const progress = leapProgressAt(phaseOffset, moment.seconds)
      const xAt = (share: number): number => x + direction * (share - 0.5) * leapLength * nearness
      splash(xAt(0.08), waterline, progress * 1.6, nearness)
      splash(xAt(0.94), waterline, (progress - 0.86) * 1.6, nearness)
      if (progress > 1.02) continue
      const share = Math.min(0.999, progress)
      const lift = Math.sin(share * Math.PI) * unit * 0.26 * nearness - unit * 0.03
      showPose(
        stage,
        poses,
        {
          x: xAt(share),
          y: waterline - lift,
          depth: water.depth * nearness,
          phase: share,
          member: index,
          size: nearness,
          rowEnd: Math.round(waterline),
        },
        moment,
      )
    }
  }
}

/** Returns the progress of a leap, from 0 to 1. Above 1, the animal is under water. */
function leapProgressAt(phaseOffset: number, seconds: number): number {
  const periods = seconds / periodSeconds + phaseOffset
  return (periods - Math.floor(periods)) / airborneShare
}
