import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
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
 * Draws an animal that walks to the right. `phase` is the part of the stride that is done, from 0 to
 * 1. The point 0, 0 is the ground under the animal's middle, and y grows down.
 */
export function drawQuadruped(
  figure: Figure,
  kind: Species,
  phase: number,
  { motion, rider }: Pick<Subject, 'motion' | 'rider'> = {},
): void {
  const stands = motion === 'rests' || motion === 'sits'
  const gait = stands ? standing : motion === 'runs' ? gaits.gallop : gaits[kind.gait]
  const pose = poseOf(phase, stands ? 'rests' : motion)
  const { build } = kind
  // The feet of a standing animal do not move.
  const at = stands ? 0 : phase
  const limbs = {
    hindFar: hindLeg(build, gait, at + gait.legs.hindFar, 0.05, pose),
    foreFar: foreLeg(build, gait, at + gait.legs.foreFar, 0.05, pose),
    hindNear: hindLeg(build, gait, at + gait.legs.hindNear, -0.02, pose),
    foreNear: foreLeg(build, gait, at + gait.legs.foreNear, -0.02, pose),
  }
  figure.part(
    (context) => {
      for (const leg of [limbs.hindFar, limbs.foreFar]) drawLeg(context, kind, leg, farther)
      if (kind.pattern) drawPattern(context, kind, farther, 'legs')
    },
    { thickness: 0.1, rim: 0.5 },
  )
  figure.part(
    (context) => {
      drawTail(context, kind, pose)
      // The near legs are drawn below the body, and again over it so that no edge shows where they
      // begin.
      for (const leg of [limbs.hindNear, limbs.foreNear]) drawLeg(context, kind, leg, (colour) => colour)
      drawTorso(context, kind, pose)
      for (const leg of [limbs.hindNear, limbs.foreNear]) drawLeg(context, kind, leg, (colour) => colour, true)
      if (kind.isPaleBelow) drawPaleBelow(context, kind, pose)
      if (kind.pattern) drawPattern(context, kind, (colour) => colour, 'body')
      if (kind.mane === 'lion') drawLionMane(context, kind, pose)
      drawHead(context, kind, pose)
      if (kind.mane && kind.mane !== 'lion') drawMane(context, kind, pose)
    },
    { thickness: 0.3 },
  )
  if (!rider) return
  const seat = build === camelid ? { x: 0.2, y: -1.02, size: 0.95 } : { x: 0.06, y: -0.98, size: 1 }
  drawRider(figure, rider, seat, { x: 0, y: pose.bob * 1.6 + pose.pitch * seat.x })
}

function poseOf(phase: number, motion: Motion | undefined): Pose {
  const turn = phase * Math.PI * 2
  const wave = (size: number, late: number, times = 2): number => Math.sin(turn * times - late) * size
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

/** The legs on the far side. */
function farther(colour: Rgb): Rgb {
  return scaleRgb(colour, 0.7)
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

/** Chest and belly, softly bounded. */
function drawPaleBelow(context: SKRSContext2D, { build, light }: Species, pose: Pose): void {
  context.save()
  traceSmooth(context, outlineOf(build, pose))
  context.clip()
  const chest = build.throat.at(-1) ?? [0.6, -0.8]
  const poll = pollOf(build, pose)
  const spot = (x: number, y: number, wide: number, tall: number, strength: number): void => {
    context.save()
    context.translate(x, y)
    context.scale(1, tall / wide)
    const fill = context.createRadialGradient(0, 0, 0, 0, 0, wide)
    fill.addColorStop(0, css(light, strength))
    fill.addColorStop(0.55, css(light, strength * 0.8))
    fill.addColorStop(1, css(light, 0))
    context.fillStyle = fill
    context.fillRect(-wide, -wide, wide * 2, wide * 2)
    context.restore()
  }
  spot(chest[0] + 0.03, chest[1] + 0.05, 0.15, 0.3, 0.95)
  spot((poll.x + chest[0]) / 2 + 0.09, (poll.y + chest[1]) / 2 + 0.06, 0.13, 0.2, 0.8)
  spot(0.1, -0.47, 0.5, 0.09, 0.75)
  context.restore()
}
