import { blendTone, hex, mixRgb, scaleRgb, setTone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { paintGlitter } from '../water/glitter.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintShore } from '../water/shore.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintSwell } from '../water/swell.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintWaterland } from '../terrain/paint-waterland.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'
import { paintWater, type WaterLook } from '../water/water.ts'

type Coastline = 'open' | 'headland' | 'islands' | 'stacks'

/**
 * Paints the sea under a wide sky: open, or with islands, cliffs or rocks. It rolls in rain, is wild
 * in a storm, and is calm otherwise.
 */
export function paintSea(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit } = geometry
  const mist = createMistTexture(stage)
  const isStorm = brief.sights.has('lightning')
  const isFair = brief.weather === 'clear' || brief.weather === 'snow'
  const swellStrength = isStorm ? 1 : brief.weather === 'rain' ? 0.5 : 0
  const water: WaterLook = {
    rippleFar: 2.4,
    rippleNear: brief.weather === 'rain' ? 90 : stage.pick('sea ripples', [58, 34, 74]),
    clarityFar: 0.86,
    clarityNear: 0.34,
    frequency: stage.pick('sea swell', [0.42, 0.6, 0.34]),
  }
  const haze = paintMist(stage, mist, { top: horizon - unit * 0.045, height: unit * 0.06, gain: 0.4, order: 2, rowEnd: horizon })
  const onWater = isFair ? paintGlitter(stage, 230) : undefined
  const kind: Coastline = stage.pick('coastline', ['open', 'headland', 'islands', 'stacks', 'islands'])
  const coast =
    kind === 'open'
      ? [haze, paintBloom(stage), subjects.floating, paintWater(stage, water), onWater]
      : paintCoast(stage, kind, {
          water,
          afterSlice: (order) => (order === 0 ? haze : paintBloom(stage)),
          floating: subjects.floating,
          onWater,
        })
  return [
    paintSky(stage),
    paintStars(stage, horizon),
    paintMoon(stage),
    paintClouds(stage),
    subjects.sky,
    ...coast,
    paintMist(stage, mist, { top: horizon - unit * 0.02, height: unit * 0.05, gain: 0.5, color: palette.haze, order: 4 }),
    swellStrength > 0 ? paintSwell(stage, swellStrength) : undefined,
    paintPassingBirds(stage),
    paintShore(stage),
    subjects.ground,
  ]
}

function paintCoast(
  stage: Stage,
  kind: Exclude<Coastline, 'open'>,
  rest: {
    water: WaterLook
    afterSlice: (order: number) => Painter | undefined
    floating: Painter | undefined
    onWater: Painter | undefined
  },
): (Painter | undefined)[] {
  const { palette, brief } = stage
  const plane = createPlane(stage, { eyeHeight: 0.3, farthest: 40 })
  const heights = raiseGround(stage, plane, kind)
  const colors = lightGround(stage, plane, heights, {
    material: cliffMaterial(stage, plane),
    air: {
      from: 3,
      reach: brief.weather === 'clear' ? 18 : 9,
      shareMax: 0.86,
      color: mixRgb(palette.haze, palette.farColor, 0.35),
    },
  })
  return paintWaterland(stage, {
    relief: { plane, heights, colors, waterline: 0 },
    slices: cutSlices(plane, [
      { from: 9, depth: 0.03 },
      { from: 0, depth: 0.08 },
    ]),
    ...rest,
  })
}

function raiseGround(stage: Stage, plane: Plane, kind: Exclude<Coastline, 'open'>): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const wordRandom = stage.wordRandom('coast')
  const random = stage.random('coast')
  const shift = random() * 60
  const count = xs.length
  const side = wordRandom() < 0.5 ? -1 : 1
  const [start, slant, cliffHeight] = [0.5 + 1.4 * wordRandom(), 0.16 + 0.14 * wordRandom(), 0.55 + 0.7 * wordRandom()]
  const islands = Array.from(
    { length: kind === 'islands' ? 2 + Math.floor(wordRandom() * 3) : kind === 'stacks' ? 5 : 2 },
    (_, index) => {
      const z = kind === 'stacks' ? 3.4 + 4 * random() : 6 + 9 * wordRandom() + index * 2
      const isStack = kind === 'stacks'
      return {
        z,
        x: isStack ? side * (start * 0.4 + slant * z + (random() - 0.8) * 1.6) : (wordRandom() - 0.5) * z * 1.5,
        width: isStack ? 0.1 + 0.14 * random() : 0.6 + 1.3 * wordRandom(),
        height: isStack ? 0.3 + 0.4 * random() : 0.3 + 0.8 * wordRandom(),
      }
    },
  )
  const crags = noise.sampleAt({ shape: 'ridged', octaves: 6, gain: 0.52 }, xs, zs, { scale: 0.55, scaleY: 0.4, shiftX: shift })
  const softNoise = noise.sampleAt({ shape: 'soft', octaves: 3, gain: 0.5 }, xs, zs, { scale: 0.4, shiftX: shift })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const [x, z] = [xs[index] ?? 0, zs[index] ?? 0]
    const [crag, bump] = [crags[index] ?? 0, softNoise[index] ?? 0]
    let height = -0.2
    for (const island of islands) {
      const distance = Math.hypot(x - island.x, (z - island.z) * 0.6) / island.width + bump * 0.5
      const rise = kind === 'stacks' ? 1 - smoothstep(0.55, 0.95, distance) : Math.max(0, 1 - distance) ** 0.8
      if (rise > 0) height = Math.max(height, rise * island.height * (0.45 + 0.75 * crag) - 0.03)
    }
    if (kind !== 'islands') {
      const inland = side * x - start - slant * z + bump * 1.5 + (crag - 0.5) * 0.5
      const cliff =
        smoothstep(0, 0.35, inland) * cliffHeight * (0.55 + 0.35 * bump + 0.25 * crag) +
        smoothstep(0.4, 4, inland) * cliffHeight * 0.5
      if (inland > 0 && z > 2.6) height = Math.max(height, cliff - 0.02)
    }
    heights[index] = height
  }
  return soften(stage, plane, heights, 1)
}

/**
 * Returns the material of bare cliffs, dark where they are wet, with grass or snow on their tops.
 */
function cliffMaterial(stage: Stage, { xs, zs }: Plane): Material {
  const { noise, palette, brief } = stage
  const rock = mixRgb(hex(stage.pick('cliff', ['#7a7068', '#8c8070', '#686870', '#a09484'])), palette.farColor, 0.15)
  const darkColor = scaleRgb(rock, 0.5)
  const top = brief.weather === 'snow' ? hex('#eef2fa') : brief.season === 'autumn' ? hex('#96803c') : hex('#5f7a3c')
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.62 }, xs, zs, { scale: 3 })
  return ({ index, height, level }, tone) => {
    const roughness = (grain[index] ?? 0) * 1.5
    setTone(tone, rock)
    blendTone(tone, darkColor, clamp(0.35 + roughness * 0.7 + Math.sin(height * 34 + roughness * 4) * 0.18))
    blendTone(tone, top, smoothstep(0.5, 0.78, level + roughness * 0.15) * smoothstep(0.08, 0.2, height))
    blendTone(tone, darkColor, 1 - smoothstep(0.005, 0.05 + roughness * 0.02, height))
  }
}
