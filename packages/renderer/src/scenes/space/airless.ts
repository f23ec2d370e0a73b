import { blendTone, hex, mixRgb, scaleRgb, setTone, toYuv, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

export interface AirlessLook {
  soil: Rgb
  /** Color of the haze between distant hills: black on a moon, dust on a planet. */
  air: Rgb
  /** Largest share of the haze in a color, 0 to 1. */
  haze: number
  craterCount: number
}

/** Color of the dust in the air of a dry planet. */
export const dust = hex('#d09a6c')

/** Paints a butterscotch sky with a small pale sun. */
export function paintDustSky(stage: Stage): Painter {
  const { compositor, geometry, horizon, sun } = stage
  const { width, height, unit } = geometry
  const [top, lowColor] = [hex('#6c4530'), mixRgb(dust, [255, 236, 210], 0.25)]
  const texture = compositor.texture(160, 90, (u, v, yuv) => {
    const distance = Math.hypot(u * width - sun.x, v * height - sun.y) / unit
    const glow = Math.exp(-distance * 4) * 0.35 + Math.exp(-distance * distance * 900) * 0.6
    yuv.splice(0, 3, ...toYuv(mixRgb(mixRgb(top, lowColor, clamp((v * height) / horizon) ** 1.3), [226, 236, 248], clamp(glow))))
  })
  return () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
}

/** Paints the ground of a lifeless world: craters, hills and stones in hard light. */
export function paintAirlessGround(stage: Stage, look: AirlessLook, subjects: PlacedSubjects): (Painter | undefined)[] {
  const plane = createPlane(stage, { eyeHeight: 0.5, farthest: 40, rise: 0.2 })
  const heights = raiseGround(stage, plane, look)
  // The light is bright at every time of day of the prompt.
  const sunnyPalette: Stage['palette'] = {
    ...stage.palette,
    sunlight: [255, 244, 228],
    skylight: mixRgb(look.air, [60, 64, 84], 0.5),
  }
  const colors = lightGround(stage, plane, heights, {
    palette: sunnyPalette,
    material: regolithMaterial(stage, plane, look),
    air: { from: 3, reach: 16, shareMax: look.haze, color: look.air },
    relief: 1.3,
    shadows: 0.95,
    sunTangent: 0.36,
  })
  const slices = cutSlices(plane, [
    { from: 10, depth: 0.04 },
    { from: 3, depth: 0.1 },
    { from: 0, depth: 0.19 },
  ])
  return [
    ...slices.flatMap((slice, order) => [
      paintSlice(stage, { plane, heights, colors }, slice),
      order === 1 ? subjects.floating : undefined,
    ]),
    subjects.ground,
  ]
}

function raiseGround(stage: Stage, plane: Plane, { craterCount }: AirlessLook): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const random = stage.random('airless')
  const shift = random() * 60
  const count = xs.length
  const wordRandom = stage.wordRandom('airless')
  const [rolling, peaks] = [0.2 + 0.3 * wordRandom(), 0.8 + 1.6 * wordRandom()]
  const hills = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.45 }, xs, zs, { scale: 0.3, shiftX: shift })
  const ridges = noise.sampleAt({ shape: 'ridged', octaves: 5, gain: 0.46 }, xs, zs, { scale: 0.14, shiftX: shift })
  const bowls = Array.from({ length: craterCount }, (_, index) => {
    const z = 1.4 + 13 * (index / Math.max(1, craterCount)) ** 1.4
    return { x: (random() - 0.5) * z * 1.9, z, width: (0.12 + 0.5 * random() ** 2) * (0.6 + z * 0.12) }
  })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const [x, z] = [xs[index] ?? 0, zs[index] ?? 0]
    let height =
      (hills[index] ?? 0) * rolling * (0.3 + 0.7 * smoothstep(0.6, 4, z)) +
      (ridges[index] ?? 0) * peaks * smoothstep(9, 18, z) -
      0.05
    for (const bowl of bowls) {
      const [dx, dz] = [(x - bowl.x) / bowl.width, (z - bowl.z) / bowl.width]
      if (dx > 2 || dx < -2 || dz > 2 || dz < -2) continue
      const distance = Math.hypot(dx, dz)
      const rim = Math.exp(-(((distance - 1) / 0.22) ** 2)) * 0.16
      const bowlDepth = distance < 1 ? (1 - distance * distance) * -0.34 : 0
      height += (rim + bowlDepth) * bowl.width * 0.6
    }
    heights[index] = height
  }
  return soften(stage, plane, heights, 1)
}

function regolithMaterial(stage: Stage, { xs, zs }: Plane, { soil }: AirlessLook): Material {
  const [paleColor, darkColor] = [mixRgb(soil, [255, 246, 232], 0.3), scaleRgb(soil, 0.55)]
  const stone = mixRgb(scaleRgb(soil, 0.4), hex('#3c3a40'), 0.4)
  const grain = stage.noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.62 }, xs, zs, { scale: 3.4 })
  const stones = stage.noise.sampleAt({ shape: 'soft', octaves: 2, gain: 0.7 }, xs, zs, { scale: 15, shiftY: 50 })
  return ({ index, z }, tone) => {
    const roughNoise = (grain[index] ?? 0) * 1.4
    setTone(tone, soil)
    blendTone(tone, paleColor, clamp(0.3 + roughNoise))
    blendTone(tone, darkColor, clamp(0.25 - roughNoise))
    blendTone(tone, stone, smoothstep(0.3, 0.36, stones[index] ?? 0) * (1 - smoothstep(3, 7, z)) * 0.8)
  }
}
