import { blendTone, hex, mixRgb, scaleRgb, setTone, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../air/motes.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintDryland } from '../terrain/paint-dryland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Paints rows of dunes with sharp crests, or red mesas if the prompt names a canyon. */
export function paintDesert(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, brief } = stage
  const isCanyon = brief.settings.has('canyon')
  const plane = createPlane(stage, { eyeHeight: 0.62, farthest: isCanyon ? 46 : 40, rise: 0.2 })
  const heights = isCanyon ? raiseMesas(stage, plane) : raiseDunes(stage, plane)
  const dust = mixRgb(palette.haze, mixRgb(palette.sunlight, hex('#e6b27a'), 0.5), brief.time === 'night' ? 0.1 : 0.25)
  const colors = lightGround(stage, plane, heights, {
    material: isCanyon ? strataMaterial(stage, plane) : sandMaterial(stage, plane),
    air: { from: 2, reach: isCanyon ? 20 : 13, shareMax: 0.86, color: dust },
    shadows: 0.8,
  })
  const slices = cutSlices(plane, [
    { from: 13, depth: 0.03 },
    { from: 5, depth: 0.07 },
    { from: 2, depth: 0.13 },
    { from: 0, depth: 0.22 },
  ])
  return [
    ...paintDryland(stage, subjects, {
      relief: { plane, heights, colors },
      slices,
      mist: { banks: 2, topAbove: 0.045, fall: 0.04, height: 0.1, gain: 0.4, thinning: 0.14, color: dust },
    }),
    subjects.ground,
    brief.weather === 'rain'
      ? undefined
      : paintMotes(stage, { count: 50, light: scaleRgb(palette.rim, 0.18), top: horizon * 0.8, size: 0.7 }),
  ]
}

/**
 * Raises dunes with long windward slopes, sharp winding crests and short steep lee sides, and small
 * dunes on the large ones.
 */
function raiseDunes(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('dunes')
  const shift = stage.random('dunes')() * 50
  const angle = (wordRandom() - 0.5) * 1.6
  const [fineness, height] = [0.2 + 0.16 * wordRandom(), 0.7 + 0.4 * wordRandom()]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const count = xs.length
  const bend = noise.sampleAt({ shape: 'soft', octaves: 2, gain: 0.4 }, xs, zs, { scale: 0.21, shiftX: shift })
  const sampleCrests = (scale: number, curl: number, lean: (index: number) => number): Float32Array =>
    noise.sample({ shape: 'ridged', octaves: 1, gain: 0.4 }, count, (index, point) => {
      const x = (xs[index] ?? 0) * scale
      const z = (zs[index] ?? 0) * scale * 1.3
      const warp = (bend[index] ?? 0) * curl
      point.x = x * cos - z * sin + warp + shift - lean(index)
      point.y = (x * sin + z * cos) * 0.6 + warp * 0.5 + shift
    })
  const uprightDunes = sampleCrests(fineness, 1.3, () => 0)
  const largeDunes = sampleCrests(fineness, 1.3, (index) => (uprightDunes[index] ?? 0) * 0.4)
  const smallDunes = sampleCrests(fineness * 3.6, 2.6, (index) => (largeDunes[index] ?? 0) * 1.6)
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const dune = ((largeDunes[index] ?? 0) * 2) ** 1.25
    const nearFade = smoothstep(0.8, 4.4, z)
    heights[index] =
      dune * height * (0.16 + 0.84 * nearFade) * (1 - 0.35 * smoothstep(12, 30, z)) +
      ((smallDunes[index] ?? 0) * 0.16 - 0.05) * (0.5 + 0.5 * nearFade) +
      (bend[index] ?? 0) * 0.3 -
      0.2
  }
  return soften(stage, plane, heights)
}

/** Returns the material of sand, which has ripples near the viewer. */
function sandMaterial(stage: Stage, { xs, zs }: Plane): Material {
  const { noise } = stage
  const sand = stage.pick('sand', ['#e8bd84', '#e2a468', '#edcd9c', '#d98e5c', '#e6c7a8'].map(hex) as [Rgb, ...Rgb[]])
  const deepColor = mixRgb(sand, hex('#8a4a34'), 0.5)
  const heading = stage.wordRandom('ripples')() * 3
  const grain = noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.5 }, xs, zs, { scale: 1.3, shiftY: 12 })
  return ({ index, x, z, level }, tone) => {
    const roughness = grain[index] ?? 0
    const phase = (x * Math.cos(heading) + z * Math.sin(heading)) * 84 + roughness * 16
    const ripple = Math.sin(phase) * 0.05 * (1 - smoothstep(1, 2.6, z)) * smoothstep(0.7, 0.95, level)
    setTone(tone, sand)
    blendTone(tone, deepColor, clamp(0.2 + roughness * 0.5 - ripple))
    tone[0] *= 1 + ripple
    tone[1] *= 1 + ripple
    tone[2] *= 1 + ripple
  }
}

/** Raises flat-topped rocks with stepped walls on a plain. */
function raiseMesas(stage: Stage, plane: Plane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('tables')
  const shift = stage.random('tables')() * 50
  const fineness = 0.1 + 0.07 * wordRandom()
  const count = xs.length
  const mass = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.45 }, xs, zs, { scale: fineness, shiftX: shift })
  const rubble = noise.sampleAt({ shape: 'ridged', octaves: 4, gain: 0.5 }, xs, zs, { scale: 0.9, shiftX: shift })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const rock = (mass[index] ?? 0) + (rubble[index] ?? 0) * 0.035
    const nearFade = smoothstep(4, 8, z)
    const lower = smoothstep(0.02, 0.05, rock) * 0.5
    const upper = smoothstep(0.09, 0.115, rock) * 1.15
    const top = smoothstep(0.2, 0.22, rock) * 0.7
    const talus = smoothstep(-0.1, 0.05, rock) * 0.3
    heights[index] = (lower + upper + top + talus) * nearFade + ((rubble[index] ?? 0) - 0.4) * 0.12 * (0.4 + nearFade) - 0.1
  }
  return soften(stage, plane, heights, 1)
}

/**
 * Returns the material of rock in bands of red, ochre and cream, with dry scrub on level ground.
 */
function strataMaterial(stage: Stage, { xs, zs }: Plane): Material {
  const { noise } = stage
  const bands = ['#a8512f', '#c8743f', '#8c3d28', '#d99c66', '#b0603a', '#e0b488'].map(hex)
  const [soil, scrub] = [hex('#c07a48'), hex('#7c7444')]
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 2.1 })
  return ({ index, height, level }, tone) => {
    const roughness = grain[index] ?? 0
    const band = Math.floor(((height * 5.2 + roughness * 0.5) % bands.length) + bands.length) % bands.length
    setTone(tone, bands[band] ?? soil)
    const flat = smoothstep(0.7, 0.88, level)
    blendTone(tone, soil, flat * 0.9)
    blendTone(tone, scrub, flat * smoothstep(0.05, 0.25, roughness) * 0.8)
  }
}
