import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb } from '../../picture/color.ts'
import { fillRibbon, type Point } from './brush.ts'
import type { Pose } from './pose.ts'
import type { Species } from './species.ts'

/** Draws locks along the crest. They fall over the neck, or stand upright like a brush. */
export function drawMane(context: SKRSContext2D, { build, dark, light, mane }: Species, { phase, nod, bob, pitch }: Pose): void {
  const crest: Point[] = [...build.back.slice(-1), ...build.crest].map(([x, y], index, all) => {
    const share = index / (all.length - 1)
    return { x: x + nod.x * share, y: y + nod.y * share + bob + pitch * x }
  })
  const pointAt = (share: number): Point => {
    const scaled = share * (crest.length - 1)
    const from = crest[Math.min(crest.length - 2, Math.floor(scaled))] ?? { x: 0, y: 0 }
    const to = crest[Math.min(crest.length - 1, Math.floor(scaled) + 1)] ?? from
    const t = scaled - Math.min(crest.length - 2, Math.floor(scaled))
    return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t }
  }
  const lastLock = 13
  for (let lock = 0; lock <= lastLock; lock++) {
    const root = pointAt(Math.min(1, 0.12 + (0.93 * lock) / lastLock))
    const wave = Math.sin(lock * 2.1 + phase * Math.PI * 2) * 0.014
    context.fillStyle = css(mixRgb(lock % 3 === 0 ? scaleRgb(dark, 1.25) : dark, light, lock % 3 === 1 ? 0.1 : 0))
    if (mane === 'brush') {
      fillRibbon(context, [
        { x: root.x + 0.03, y: root.y + 0.03, r: 0.035 },
        { x: root.x - 0.035, y: root.y - 0.035, r: 0.018 },
      ])
      continue
    }
    const length = 0.16 + 0.05 * Math.sin(lock * 1.7)
    fillRibbon(context, [
      { x: root.x + 0.02, y: root.y - 0.005, r: 0.03 },
      { x: root.x - 0.045 + wave, y: root.y + length * 0.45, r: 0.032 },
      { x: root.x - 0.07 + wave * 2, y: root.y + length, r: 0.006 },
    ])
  }
  if (mane === 'brush') return
  // The forelock.
  const poll = crest.at(-1) ?? { x: 0, y: 0 }
  fillRibbon(context, [
    { x: poll.x + 0.0, y: poll.y + 0.01, r: 0.03 },
    { x: poll.x + 0.07, y: poll.y + 0.07, r: 0.026 },
    { x: poll.x + 0.09, y: poll.y + 0.15, r: 0.005 },
  ])
}

/** Draws a full collar of locks around the lion's head and down to the chest. */
export function drawLionMane(context: SKRSContext2D, { build, dark, coat }: Species, { nod, bob, phase, pitch }: Pose): void {
  const center = { x: build.poll.x - 0.03 + nod.x, y: build.poll.y + 0.1 + nod.y + bob + pitch * build.poll.x }
  const rings = [
    { reach: 0.36, color: scaleRgb(dark, 0.75), count: 30 },
    { reach: 0.3, color: dark, count: 26 },
    { reach: 0.22, color: mixRgb(dark, coat, 0.35), count: 22 },
  ]
  for (const [ring, { reach, color, count }] of rings.entries()) {
    for (let lock = 0; lock < count; lock++) {
      const angle = (lock / count) * Math.PI * 2 + ring * 0.13
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      // The locks are long below the chin and over the shoulders, and short in front of the face.
      const length = reach * (1 + 0.3 * Math.max(0, sin) - 0.45 * Math.max(0, cos) + 0.12 * Math.sin(lock * 2.7))
      const wave = Math.sin(lock * 1.9 + phase * Math.PI * 2) * 0.012
      context.fillStyle = css(mixRgb(color, coat, lock % 3 === 0 ? 0.16 : 0))
      fillRibbon(context, [
        { x: center.x + cos * 0.06, y: center.y + sin * 0.08, r: 0.06 },
        { x: center.x + cos * length * 0.65, y: center.y + sin * length * 0.7 + 0.01, r: 0.05 },
        { x: center.x + cos * length - 0.02 + wave, y: center.y + sin * length * 1.05 + 0.05, r: 0.006 },
      ])
    }
  }
}
