import { blendTone, hex, lightYuv, mixRgb, scaleRgb, setTone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { drawSlice } from '../terrain/paint-slice.ts'
import { createPlane, type Plane } from '../terrain/plane.ts'
import { combinePainters } from '../combine-painters.ts'

const poseCount = 16
/** Period after which the waves repeat. */
const cycleSeconds = 7
/** Number of entries in the table of a wave's profile. */
const tableSize = 1024
/** Distance below which waves are lower. */
const calmDistance = 1.4

interface Wave {
  /** Table entries per ground unit, sideways. */
  alongX: number
  /** Table entries per ground unit, into the distance. */
  alongZ: number
  waveHeight: number
  /** Number of crests that pass in a cycle. */
  crests: number
  /** Table entry at the point 0, 0 at the start of the cycle. */
  phase: number
  /** Height over one wavelength, from 0 to 1. */
  profile: Float32Array
}

/**
 * Paints waves as a moving relief. The motion is a cycle of drawn poses, each of which fades into
 * the next. With a `strength` of 1, the waves are steep, with foam on their crests, as in a storm.
 */
export function paintSwell(stage: Stage, strength: number): Painter | undefined {
  const plane = createPlane(stage, { eyeHeight: 0.42, farthest: 26, rise: 0.2 * strength, detail: 0.46 })
  const waves = createWaves(stage, strength)
  const waveHeightSum = waves.reduce((sum, { waveHeight }) => sum + waveHeight, 0)
  const material = waterMaterial(stage, plane, strength, waveHeightSum)
  const { palette } = stage
  const heights = new Float32Array(plane.xs.length)
  const poses = Array.from({ length: poseCount }, (_, pose) => {
    sumWaves(plane, waves, pose / poseCount, heights)
    const colors = lightGround(stage, plane, heights, {
      material,
      air: { from: 1.5, reach: 9, shareMax: 0.8, color: mixRgb(palette.haze, palette.waterTint, 0.35) },
      relief: 1.2,
      shadows: 0.4,
    })
    return drawSlice(stage, { plane, heights, colors }, { stepFirst: 0, stepEnd: plane.steps, depth: 0.12 }, 2)
  })
  return combinePainters([
    (moment) => {
      const posePosition = ((moment.seconds / cycleSeconds) % 1) * poseCount
      const poseIndex = Math.floor(posePosition)
      const [current, next] = [poses[poseIndex % poseCount], poses[(poseIndex + 1) % poseCount]]
      if (current) stage.drawAt(current.layer, current.place, moment)
      if (next) stage.drawAt(next.layer, { ...next.place, opacity: posePosition - poseIndex }, moment)
    },
    strength > 0.6 ? paintSpindrift(stage) : undefined,
  ])
}

/** Creates long waves from one side and shorter waves across them. */
function createWaves(stage: Stage, strength: number): Wave[] {
  const wordRandom = stage.wordRandom('swell')
  const random = stage.random('swell')
  const heading = (wordRandom() < 0.5 ? -1 : 1) * (0.25 + 0.7 * wordRandom())
  const steep = 0.03 + 0.075 * strength
  return [
    { length: 3.1, crests: 2, angleOffset: 0 },
    { length: 2.1, crests: 3, angleOffset: 0.35 },
    { length: 1.35, crests: 4, angleOffset: -0.5 },
    { length: 0.86, crests: 5, angleOffset: 0.8 },
    { length: 0.5, crests: 6, angleOffset: -0.2 },
    { length: 0.3, crests: 8, angleOffset: 1.2 },
  ].map(({ length, crests, angleOffset }) => {
    const angle = heading + angleOffset * 0.9 + (random() - 0.5) * 0.3
    const entriesPerLength = (tableSize / length) * (0.9 + 0.2 * random())
    const sharpness = 1.2 + 1.6 * strength
    return {
      alongX: Math.sin(angle) * entriesPerLength,
      alongZ: Math.cos(angle) * entriesPerLength,
      waveHeight: length * steep * (length < 1 ? 0.8 : 1),
      crests,
      phase: random() * tableSize,
      profile: Float32Array.from(
        { length: tableSize },
        (_, index) => (0.5 + 0.5 * Math.sin((index / tableSize) * Math.PI * 2)) ** sharpness,
      ),
    }
  })
}

/** Sets the heights of the water at a share of the cycle. */
function sumWaves({ xs, zs }: Plane, waves: readonly Wave[], cycleShare: number, heights: Float32Array): void {
  heights.fill(0)
  for (const { alongX, alongZ, waveHeight, crests, phase, profile } of waves) {
    const shiftedPhase = phase + cycleShare * crests * tableSize
    for (let index = 0; index < heights.length; index++) {
      // The sum of the earlier waves shifts the next wave, so that its crests are not straight.
      const height = heights[index] ?? 0
      const wavePosition = (xs[index] ?? 0) * alongX + (zs[index] ?? 0) * alongZ + shiftedPhase + height * 900
      heights[index] = height + waveHeight * ((profile[(wavePosition | 0) & (tableSize - 1)] ?? 0) - 0.4)
    }
  }
  // Water close to the viewer is calmer, because a crest at the viewer would hide all others.
  for (let index = 0; (zs[index] ?? calmDistance) < calmDistance; index++)
    heights[index] = (heights[index] ?? 0) * ((zs[index] ?? 0) / calmDistance)
}

/**
 * Returns the material of water: dark in the troughs, green where light shines through the crests,
 * and white where they break.
 */
function waterMaterial(stage: Stage, { xs, zs }: Plane, strength: number, waveHeightSum: number): Material {
  const { palette, noise, brief } = stage
  const isDark = brief.time === 'night'
  const deepColor = scaleRgb(mixRgb(palette.waterTint, palette.nearColor, 0.1), brief.sights.has('lightning') ? 1.7 : 1)
  const glass = mixRgb(mixRgb(palette.waterTint, palette.haze, 0.4), hex('#5cae9c'), isDark ? 0.12 : 0.34)
  const sheen = mixRgb(palette.haze, palette.sky[4] ?? palette.haze, 0.5)
  const foam = isDark ? hex('#a8bccc') : hex('#f4f8f8')
  const lace = noise.sampleAt({ shape: 'ridged', octaves: 4, gain: 0.62 }, xs, zs, { scale: 3.4 })
  const breaking = waveHeightSum * (0.26 - 0.22 * strength)
  return ({ index, height, level, z }, tone) => {
    const crestShare = clamp(0.45 + (height / waveHeightSum) * 1.1)
    const holes = smoothstep(0.4, 0.8, lace[index] ?? 0)
    setTone(tone, deepColor)
    blendTone(tone, glass, crestShare * crestShare * 0.85)
    // Distant water is seen at a flat angle and mirrors the sky.
    blendTone(tone, sheen, clamp(smoothstep(0.7, 1, level) * 0.22 + smoothstep(2, 12, z) * 0.3))
    const broken =
      smoothstep(breaking, breaking + waveHeightSum * 0.2, height) * (0.25 + 0.75 * holes) +
      holes * 0.3 * strength * smoothstep(-0.25, 0.15, height / waveHeightSum)
    blendTone(tone, foam, clamp(broken * (0.4 + 0.6 * strength)))
  }
}

/** Paints the spray that the wind tears off the crests and carries across the image. */
function paintSpindrift(stage: Stage): Painter {
  const { compositor, geometry, palette, brief, horizon } = stage
  const { width, height } = geometry
  const random = stage.random('spindrift')
  const light = lightYuv(scaleRgb(mixRgb([220, 228, 232], palette.haze, 0.4), brief.time === 'night' ? 0.26 : 0.4))
  const heading = stage.wordRandom('swell')() < 0.5 ? -1 : 1
  const drops = Array.from({ length: 140 }, () => ({
    x: random(),
    nearness: random() ** 0.8,
    phase: random(),
    durationSeconds: 0.7 + 0.9 * random(),
    rise: 0.3 + random(),
    size: 1 + 2.4 * random() ** 2,
  }))
  return ({ seconds }) => {
    for (const { x, nearness, phase, durationSeconds, rise, size } of drops) {
      const lifeShare = (seconds / durationSeconds + phase) % 1
      const lifeCount = Math.floor(seconds / durationSeconds + phase)
      const drawX = (((x + lifeCount * 0.379) % 1) + 1) % 1
      const foot = horizon + (height - horizon) * (0.12 + 0.8 * nearness ** 1.6)
      const reach = geometry.unit * (0.02 + 0.09 * nearness)
      const lift = lifeShare * (1 - lifeShare * 0.8) * rise * reach * 1.6
      const strength = (1 - lifeShare) * 0.8
      compositor.addSpot(
        drawX * width - heading * lifeShare * reach * 1.5,
        foot - lift,
        Math.max(1.1, stage.toPixels(size) * (0.5 + nearness)),
        [light[0] * strength, light[1] * strength, light[2] * strength],
      )
    }
  }
}
