import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { traceSmooth } from './brush.ts'
import type { Figure } from './figure.ts'
import type { Motion, Subject } from '../prompt/scene-brief.ts'
import { drawRider } from './figures/rider.ts'
import { gaits, standing } from './gait.ts'
import { camelid } from './builds.ts'
import { drawHead } from './heads.ts'
import { drawLeg, foreLeg, hindLeg } from './legs.ts'
import { drawLionMane, drawMane } from './manes.ts'
import { drawPattern } from './patterns.ts'
import { outlineOf, pollOf, type Pose } from './pose.ts'
import type { Species } from './species.ts'
import { drawTail } from './tails.ts'

/**
 * Draws an animal that stands, or walks or gallops to the right. `phase` is the progress of the
 * stride, from 0 to 1. The point 0, 0 is on the ground below the middle of the animal, and y grows
 * downward.
 */
export function drawQuadruped(
  figure: Figure,
  animal: Species,
  phase: number,
  { motion, rider }: Pick<Subject, 'motion' | 'rider'> = {},
): void {
  const isStanding = motion === 'rests' || motion === 'sits'
  const gait = isStanding ? standing : motion === 'runs' ? gaits.gallop : gaits[animal.gait]
  const pose = poseOf(phase, isStanding ? 'rests' : motion)
  const { build } = animal
  // The feet of a standing animal do not move.
  const stridePhase = isStanding ? 0 : phase
  const limbs = {
    hindFar: hindLeg(build, gait, stridePhase + gait.legPhases.hindFar, 0.05, pose),
    foreFar: foreLeg(build, gait, stridePhase + gait.legPhases.foreFar, 0.05, pose),
    hindNear: hindLeg(build, gait, stridePhase + gait.legPhases.hindNear, -0.02, pose),
    foreNear: foreLeg(build, gait, stridePhase + gait.legPhases.foreNear, -0.02, pose),
  }
  figure.part(
    (context) => {
      for (const leg of [limbs.hindFar, limbs.foreFar]) drawLeg(context, animal, leg, shadeFarLeg)
      if (animal.pattern) drawPattern(context, animal, shadeFarLeg, 'legs')
    },
    { thickness: 0.1, rim: 0.5 },
  )
  figure.part(
    (context) => {
      drawTail(context, animal, pose)
      // The near legs are drawn before the body, which covers the edges of their upper ends, and
      // then again over it.
      for (const leg of [limbs.hindNear, limbs.foreNear]) drawLeg(context, animal, leg, (color) => color)
      drawTorso(context, animal, pose)
      for (const leg of [limbs.hindNear, limbs.foreNear]) drawLeg(context, animal, leg, (color) => color, true)
      if (animal.isPaleBelow) drawPaleBelow(context, animal, pose)
      if (animal.pattern) drawPattern(context, animal, (color) => color, 'body')
      if (animal.mane === 'lion') drawLionMane(context, animal, pose)
      drawHead(context, animal, pose)
      if (animal.mane && animal.mane !== 'lion') drawMane(context, animal, pose)
    },
    { thickness: 0.3 },
  )
  if (!rider) return
  const seat = build === camelid ? { x: 0.2, y: -1.02, size: 0.95 } : { x: 0.06, y: -0.98, size: 1 }
  drawRider(figure, rider, seat, { x: 0, y: pose.bob * 1.6 + pose.pitch * seat.x })
}

function poseOf(phase: number, motion: Motion | undefined): Pose {
  const turn = phase * Math.PI * 2
  const wave = (amplitude: number, delay: number, wavesPerStride = 2): number =>
    Math.sin(turn * wavesPerStride - delay) * amplitude
  if (motion === 'rests')
    return { phase, bob: wave(0.006, 0, 1), pitch: 0, nod: { x: wave(0.012, 0.6, 1), y: wave(0.016, 1.4, 1) } }
  if (motion === 'runs') {
    return {
      phase,
      bob: -0.05 + wave(0.045, 2.2, 1),
      pitch: wave(0.09, 0.4, 1),
      nod: { x: 0.05 + wave(0.03, 1, 1), y: 0.05 + wave(0.035, 2.6, 1) },
    }
  }
  return { phase, bob: wave(0.011, -0.6), pitch: 0, nod: { x: wave(0.01, 0), y: wave(0.014, 0.9) } }
}

/** Returns the color of a leg on the far side. */
function shadeFarLeg(color: Rgb): Rgb {
  return scaleRgb(color, 0.7)
}

function drawTorso(context: SKRSContext2D, { build, coat, light, dark }: Species, pose: Pose): void {
  const fill = context.createLinearGradient(0, -1.02, 0, -0.46)
  fill.addColorStop(0, css(mixRgb(coat, dark, 0.16)))
  fill.addColorStop(0.4, css(coat))
  fill.addColorStop(1, css(mixRgb(coat, light, 0.22)))
  context.fillStyle = fill
  traceSmooth(context, outlineOf(build, pose))
  context.fill()
}

/** Draws the pale chest and belly with soft borders. */
function drawPaleBelow(context: SKRSContext2D, { build, light }: Species, pose: Pose): void {
  context.save()
  traceSmooth(context, outlineOf(build, pose))
  context.clip()
  const chest = build.throat.at(-1) ?? [0.6, -0.8]
  const poll = pollOf(build, pose)
  const spot = (x: number, y: number, radiusX: number, radiusY: number, strength: number): void => {
    context.save()
    context.translate(x, y)
    context.scale(1, radiusY / radiusX)
    const fill = context.createRadialGradient(0, 0, 0, 0, 0, radiusX)
    fill.addColorStop(0, css(light, strength))
    fill.addColorStop(0.55, css(light, strength * 0.8))
    fill.addColorStop(1, css(light, 0))
    context.fillStyle = fill
    context.fillRect(-radiusX, -radiusX, radiusX * 2, radiusX * 2)
    context.restore()
  }
  spot(chest[0] + 0.03, chest[1] + 0.05, 0.15, 0.3, 0.95)
  spot((poll.x + chest[0]) / 2 + 0.09, (poll.y + chest[1]) / 2 + 0.06, 0.13, 0.2, 0.8)
  spot(0.1, -0.47, 0.5, 0.09, 0.75)
  context.restore()
}
