import type { Random } from '../../picture/random.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'

export interface Flocking {
  /** Minimum number of birds if the prompt asks for two to four. */
  few: number
  /** Number of birds if the prompt asks for five or more. */
  many: number
  /** Formation: a wedge behind a leader, separate birds, or a circle. */
  formation: 'wedge' | 'loose' | 'circling'
  /** Speed in units per second. */
  speed: number
}

/** Paints birds that the prompt names. Their wing beats have different phases. */
export function paintBirds(stage: Stage, subject: Subject, model: Model, flocking: Flocking, order: number): Painter {
  const { geometry, horizon, sun } = stage
  const { unit, width } = geometry
  const random = stage.random(`birds ${subject.kind}`)
  const isFacingLeft = random() < 0.5
  const count = subject.count === 1 ? 1 : subject.count >= 5 ? flocking.many : Math.max(subject.count, flocking.few)
  const members = arrangeFlock(count, flocking.formation, random).toSorted((a, b) => a.size - b.size)
  const height = model.height * unit * (count === 1 ? 1.6 : 1)
  const side = sun.x > width / 2 ? -1 : 1
  const middle = { x: width * (0.5 + side * 0.07), y: Math.max(height * 0.9, horizon * (0.42 + 0.08 * (order % 3))) }
  const pace = model.cycle?.pace ?? 1
  const speed = Math.min(flocking.speed * unit, (width * 0.55) / Math.max(1, stage.seconds))
  const stillSeconds = stage.moment(0).seconds
  const beatOf = (phase: number, seconds: number): number => seconds * pace * (0.9 + 0.2 * phase) + phase
  const poses = drawPoses(stage, subject, model, {
    height,
    x: middle.x,
    ground: middle.y,
    distance: 0.2,
    isFacingLeft,
    stillPhases: members.map(({ phase }) => beatOf(phase, stillSeconds) % 1),
  })
  const direction = isFacingLeft ? -1 : 1
  const isCircling = flocking.formation === 'circling'
  return (moment) => {
    const distance = isCircling ? 0 : (moment.seconds - stage.seconds / 2) * speed
    for (const [index, { back, up, size, phase }] of members.entries()) {
      const turn = moment.seconds * 0.24 + phase * 6.28
      const loop = isCircling
        ? { x: Math.sin(turn) * 0.18, y: Math.cos(turn) * 0.05 }
        : { x: 0, y: Math.sin(moment.seconds * 0.8 + phase * 6.28) * 0.008 }
      const placement = {
        x: middle.x + direction * (distance - back * unit) + loop.x * unit,
        y: middle.y - (up + loop.y) * unit - (moment.progress - 0.5) * unit * 0.03,
      }
      showPose(stage, poses, { ...placement, depth: 0.08, phase: beatOf(phase, moment.seconds), member: index, size }, moment)
    }
  }
}

interface Bird {
  /** Offset backward from the middle of the flock, in units. */
  back: number
  /** Offset upward from the middle of the flock, in units. */
  up: number
  size: number
  phase: number
}

function arrangeFlock(count: number, formation: Flocking['formation'], random: Random): Bird[] {
  if (count === 1) return [{ back: 0, up: 0, size: 1, phase: random() }]
  const halfCount = Math.ceil(count / 2)
  return Array.from({ length: count }, (_, index) => {
    const phase = random()
    if (formation === 'wedge') {
      const rank = Math.ceil(index / 2)
      const isUpper = index % 2 === 1
      return {
        back: (rank - halfCount / 2) * 0.075 + (random() - 0.5) * 0.02,
        up: (isUpper ? 1 : -1) * rank * 0.026 + (random() - 0.5) * 0.014,
        size: 0.62 - (isUpper ? 0.014 : -0.01) * rank,
        phase,
      }
    }
    const nearness = random()
    return {
      back: ((index + 0.5) / count - 0.5) * 0.9 + (random() - 0.5) * 0.14,
      up: (random() - 0.45) * 0.3,
      size: 0.34 + 0.66 * nearness * nearness,
      phase,
    }
  })
}
