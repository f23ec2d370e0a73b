import { blendTone, hex, mixRgb, scaleRgb, setTone, toYuv, type Rgb } from '../../picture/colour.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

export interface AirlessLook {
  soil: Rgb
  /** Color between distant hills: black on a moon, dust on a planet. */
  air: Rgb
  haze: number
  craters: number
}

/** Color of the dust in the air of a dry planet. */
export const dust = hex('#d09a6c')

/** Paints a butterscotch sky with a small pale sun. */
export function paintDustSky(stage: Stage): Painter {
  const { compositor, geometry, horizon, sun } = stage
  const { width, height, unit } = geometry
  const [top, low] = [hex('#6c4530'), mixRgb(dust, [255, 236, 210], 0.25)]
  const texture = compositor.texture(160, 90, (u, v, yuv) => {
    const away = Math.hypot(u * width - sun.x, v * height - sun.y) / unit
    const glow = Math.exp(-away * 4) * 0.35 + Math.exp(-away * away * 900) * 0.6
    yuv.splice(0, 3, ...toYuv(mixRgb(mixRgb(top, low, clamp((v * height) / horizon) ** 1.3), [226, 236, 248], clamp(glow))))
  })
  return () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
}

/** Paints the ground of a lifeless world: craters, hills and stones in hard light. */
export function paintAirlessGround(stage: Stage, look: AirlessLook, subjects: PlacedSubjects): (Painter | undefined)[] {
  const plane = createPlane(stage, { eye: 0.5, far: 40, rise: 0.2 })
  const heights = raise(stage, plane, look)
  // The light there is always bright, whatever the scene's hour.
  const sunny: Stage['palette'] = { ...stage.palette, sunlight: [255, 244, 228], skylight: mixRgb(look.air, [60, 64, 84], 0.5) }
  const colours = lightGround(stage, plane, heights, {
    palette: sunny,
    material: regolith(stage, plane, look),
    air: { from: 3, reach: 16, most: look.haze, colour: look.air },
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
      paintSlice(stage, { plane, heights, colours }, slice),
      order === 1 ? subjects.floating : undefined,
    ]),
    subjects.ground,
  ]
}

function raise(stage: Stage, plane: Plane, { craters }: AirlessLook): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const random = stage.random('airless')
  const shift = random() * 60
  const count = xs.length
  const wording = stage.wording('airless')
  const [rolling, peaks] = [0.2 + 0.3 * wording(), 0.8 + 1.6 * wording()]
  const hills = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.45 }, xs, zs, { scale: 0.3, shiftX: shift })
  const ridges = noise.sampleAt({ shape: 'ridged', octaves: 5, gain: 0.46 }, xs, zs, { scale: 0.14, shiftX: shift })
  const bowls = Array.from({ length: craters }, (_, index) => {
    const z = 1.4 + 13 * (index / Math.max(1, craters)) ** 1.4
    return { x: (random() - 0.5) * z * 1.9, z, wide: (0.12 + 0.5 * random() ** 2) * (0.6 + z * 0.12) }
  })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const [x, z] = [xs[index] ?? 0, zs[index] ?? 0]
    let height =
      (hills[index] ?? 0) * rolling * (0.3 + 0.7 * smoothstep(0.6, 4, z)) +
      (ridges[index] ?? 0) * peaks * smoothstep(9, 18, z) -
      0.05
    for (const bowl of bowls) {
      const [dx, dz] = [(x - bowl.x) / bowl.wide, (z - bowl.z) / bowl.wide]
      if (dx > 2 || dx < -2 || dz > 2 || dz < -2) continue
      const away = Math.hypot(dx, dz)
      const rim = Math.exp(-(((away - 1) / 0.22) ** 2)) * 0.16
      const bowlDepth = away < 1 ? (1 - away * away) * -0.34 : 0
      height += (rim + bowlDepth) * bowl.wide * 0.6
    }
    heights[index] = height
  }
  return soften(plane, heights, 1)
}

function regolith(stage: Stage, { xs, zs }: Plane, { soil }: AirlessLook): Material {
  const [pale, dark] = [mixRgb(soil, [255, 246, 232], 0.3), scaleRgb(soil, 0.55)]
  const stone = mixRgb(scaleRgb(soil, 0.4), hex('#3c3a40'), 0.4)
  const grain = stage.noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.62 }, xs, zs, { scale: 3.4 })
  const stones = stage.noise.sampleAt({ shape: 'soft', octaves: 2, gain: 0.7 }, xs, zs, { scale: 15, shiftY: 50 })
  return ({ index, z }, own) => {
    const rough = (grain[index] ?? 0) * 1.4
    setTone(own, soil)
    blendTone(own, pale, clamp(0.3 + rough))
    blendTone(own, dark, clamp(0.25 - rough))
    blendTone(own, stone, smoothstep(0.3, 0.36, stones[index] ?? 0) * (1 - smoothstep(3, 7, z)) * 0.8)
  }
}
