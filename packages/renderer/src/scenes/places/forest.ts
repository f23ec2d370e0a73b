import type { SKRSContext2D } from '@napi-rs/canvas'
import { blendTone, hex, mixRgb, scaleRgb, setTone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../air/motes.ts'
import { drawFoliage } from '../trees/foliage.ts'
import { createForestLook, type ForestKind, type ForestLook } from '../forest/forest-look.ts'
import { createSprites, type Sprites } from '../forest/sprites.ts'
import { drawTree } from '../trees/forest-trees.ts'
import { drawUndergrowth } from '../forest/undergrowth.ts'
import { paintLightShafts } from '../sky/light-shafts.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { toSeasonColor } from '../trees/season.ts'
import { paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { combineObjects, type GroundObject } from '../terrain/ground-objects.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Returns the sideways position of the path between the trees at a distance. */
type PathPosition = (z: number) => number

/**
 * Paints trees on both sides of a path that leads into bright air, with beams of light, ferns and
 * stones. The prompt chooses the kind of trees.
 */
export function paintForest(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { palette, horizon, geometry, brief } = stage
  const { unit, height } = geometry
  const look = createForestLook(stage)
  const wordRandom = stage.wordRandom('way')
  const [swing, pace, phase] = [0.6 + 1.8 * wordRandom(), 0.1 + 0.12 * wordRandom(), wordRandom() * 6]
  const pathAt: PathPosition = (z) => (Math.sin(z * pace + phase) - Math.sin(phase)) * swing
  const plane = createPlane(stage, { eyeHeight: 1.55, farthest: 70, rise: 0.3, detail: 0.8 })
  const heights = raiseGround(stage, plane, pathAt)
  const mist = createMistTexture(stage)
  const colors = lightGround(stage, plane, heights, {
    material: floorMaterial(stage, plane, look, pathAt),
    air: { from: 5, reach: 20, shareMax: 0.92, color: look.air },
    relief: 1.4,
    shadows: 0,
  })
  const slices = cutSlices(plane, [
    { from: 17, depth: 0.04 },
    { from: 7.5, depth: 0.1 },
    { from: 0, depth: 0.19 },
  ])
  const sprites = createSprites(stage.random('sprites')() * 1e9, Math.min(1.2, unit / 1080))
  const plants = combineObjects(
    [...plantTrees(stage, plane, look, pathAt, sprites), ...plantUndergrowth(stage, plane, look, pathAt, sprites)],
    30,
  )
  const [farSlice, middleSlice, nearSlice] = slices.map((slice) =>
    paintSlice(stage, { plane, heights, colors }, { ...slice, objects: plants }),
  )
  const sunlight = look.isNight ? hex('#6f9cb8') : mixRgb(palette.sunlight, hex('#fff2b0'), 0.4)
  return [
    paintSky(stage, Math.min(height, horizon + unit * 0.12)),
    look.isNight ? paintStars(stage) : undefined,
    paintMoon(stage),
    subjects.sky,
    paintMist(stage, mist, { top: horizon - unit * 0.4, height: unit * 0.5, gain: 0.7, color: look.air, order: 1 }),
    farSlice,
    paintMist(stage, mist, { top: horizon - unit * 0.16, height: unit * 0.28, gain: 0.66, color: look.air, order: 0 }),
    middleSlice,
    paintMist(stage, mist, { top: horizon - unit * 0.04, height: unit * 0.2, gain: 0.42, color: look.air, order: 2 }),
    paintLightShafts(stage, sunlight, look.isNight ? 0.14 : brief.weather === 'clear' ? 0.4 : 0.18),
    subjects.floating,
    subjects.ground,
    nearSlice,
    paintCanopy(stage, look, sprites),
    paintMotes(stage, {
      count: look.isNight ? 70 : 56,
      light: look.isNight ? hex('#8aa02c') : scaleRgb(sunlight, 0.24),
      top: horizon * 0.5,
      size: look.isNight ? 0.8 : 0.6,
    }),
  ]
}

function raiseGround(stage: Stage, plane: Plane, pathAt: PathPosition): Float32Array {
  const { xs, zs } = plane
  const shift = stage.random('forest')() * 60
  const rolling = 0.3 + 0.9 * stage.wordRandom('forest floor')()
  const bumps = stage.noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.5 }, xs, zs, { scale: 0.16, shiftX: shift })
  const heights = new Float32Array(xs.length)
  for (let index = 0; index < heights.length; index++) {
    const z = zs[index] ?? 0
    const pathDistance = Math.abs((xs[index] ?? 0) - pathAt(z))
    heights[index] =
      (bumps[index] ?? 0) * rolling * smoothstep(0.4, 2.4, pathDistance) * smoothstep(2, 6, z) -
      0.1 * (1 - smoothstep(0.5, 1.3, pathDistance))
  }
  return soften(stage, plane, heights, 1)
}

/**
 * Returns the material of the ground: moss and old leaves, or snow, with a path and patches of
 * light that falls through the leaves.
 */
function floorMaterial(stage: Stage, { xs, zs }: Plane, look: ForestLook, pathAt: PathPosition): Material {
  const { noise, brief, palette } = stage
  const moss = look.isWinter
    ? hex('#eff3fa')
    : toSeasonColor(hex(look.kind === 'conifers' || look.kind === 'redwoods' ? '#6a6a38' : '#647c34'), brief.season)
  const litter = look.isWinter
    ? hex('#d5deec')
    : brief.season === 'autumn'
      ? mixRgb(look.leaf, hex('#8c5a2c'), 0.4)
      : hex('#6e5638')
  const earth = look.isWinter ? hex('#e2e2e6') : hex('#a08660')
  const darkColor = scaleRgb(litter, look.isWinter ? 0.8 : 0.5)
  const hasPath = stage.pick('way', [true, true, false])
  const isDappled = brief.weather === 'clear' && !look.isNight
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.62 }, xs, zs, { scale: 0.9 })
  const light = noise.sampleAt({ shape: 'soft', octaves: 4, gain: 0.6 }, xs, zs, { scale: 0.7, scaleY: 0.34, shiftX: 30 })
  return ({ index, x, z }, tone, shine) => {
    const roughness = (grain[index] ?? 0) * 1.4
    setTone(tone, moss)
    blendTone(tone, litter, smoothstep(-0.1, 0.3, roughness))
    blendTone(tone, darkColor, clamp(0.2 - roughness))
    const pathDistance = Math.abs(x - pathAt(z)) + roughness * 0.3
    if (hasPath) blendTone(tone, earth, 1 - smoothstep(0.45, 0.85, pathDistance))
    if (!isDappled) return
    const patch = smoothstep(0.06, 0.2, light[index] ?? 0) * 0.5
    shine[0] = tone[0] * patch * (palette.sunlight[0] / 255)
    shine[1] = tone[1] * patch * (palette.sunlight[1] / 255)
    shine[2] = tone[2] * patch * 0.7 * (palette.sunlight[2] / 255)
  }
}

/**
 * Number of trees. Distance of the nearest one and clearance on each side of the path, in meters.
 */
const standByKind: Record<ForestKind, { count: number; nearest: number; clearance: number }> = {
  beeches: { count: 170, nearest: 4.8, clearance: 1.5 },
  conifers: { count: 170, nearest: 7, clearance: 2.6 },
  birches: { count: 230, nearest: 4.6, clearance: 1.3 },
  bamboo: { count: 420, nearest: 4.2, clearance: 1.1 },
  jungle: { count: 150, nearest: 5, clearance: 1.6 },
  redwoods: { count: 64, nearest: 6.5, clearance: 2.6 },
}

function plantTrees(stage: Stage, plane: Plane, look: ForestLook, pathAt: PathPosition, sprites: Sprites): GroundObject[] {
  const random = stage.random('stand')
  const shape = stage.random('tree shapes')
  const { count, nearest, clearance: defaultClearance } = standByKind[look.kind]
  // At night and if the prompt names a phenomenon, the path is wider, so that the sky is visible.
  const clearance = defaultClearance * (stage.brief.sights.size > 0 || look.isNight ? 2 : 1)
  return scatter(stage, plane, { count, nearest, farthest: 60, crowding: 1.2 }, random)
    .filter(({ x, z }) => Math.abs(x - pathAt(z)) > clearance + z * 0.012)
    .map(({ ray, step, z }) => ({
      ray,
      step,
      draw: (context, spot) =>
        drawTree(context, sprites, { x: spot.x, y: spot.y + spot.scale * 0.04, meter: spot.scale, z }, look, shape),
    }))
}

function plantUndergrowth(stage: Stage, plane: Plane, look: ForestLook, pathAt: PathPosition, sprites: Sprites): GroundObject[] {
  if (stage.brief.omittedParts.has('plants')) return []
  const random = stage.random('undergrowth')
  const shape = stage.random('undergrowth shapes')
  return scatter(stage, plane, { count: look.kind === 'jungle' ? 260 : 190, nearest: 3.6, farthest: 20, crowding: 1 }, random)
    .filter(({ x, z }) => Math.abs(x - pathAt(z)) > 1)
    .map(({ ray, step, z }) => ({
      ray,
      step,
      draw: (context, spot) =>
        drawUndergrowth(context, sprites, { x: spot.x, y: spot.y + spot.scale * 0.05, meter: spot.scale, z }, look, shape),
    }))
}

/**
 * Scatters positions over the rays and steps of the plane between two distances. With a `crowding`
 * of 1 they are even. A larger `crowding` moves them into the distance.
 */
function scatter(
  { geometry }: Stage,
  { rays, steps, distances, focal, left, right }: Plane,
  { count, nearest, farthest, crowding }: { count: number; nearest: number; farthest: number; crowding: number },
  random: () => number,
): { ray: number; step: number; x: number; z: number }[] {
  const firstStep = distances.findIndex((distance) => distance >= nearest)
  const lastStep = Math.max(
    firstStep + 1,
    distances.findIndex((distance) => distance >= farthest),
  )
  const endStep = lastStep < firstStep ? steps - 1 : lastStep
  const widthFactor = (right - left) / geometry.unit / 2.06
  return Array.from({ length: Math.round(count * widthFactor) }, () => {
    const step = Math.min(steps - 1, firstStep + Math.floor((endStep - firstStep) * random() ** (1 / crowding)))
    const ray = Math.floor(random() * rays)
    const z = distances[step] ?? nearest
    return { ray, step, z, x: ((left + ((right - left) * ray) / (rays - 1) - geometry.width / 2) / focal) * z }
  })
}

/**
 * Paints dark leaves that hang into the frame from above. Returns undefined for conifers, redwoods
 * and bare trees, and for a prompt without plants.
 */
function paintCanopy(stage: Stage, look: ForestLook, sprites: Sprites): Painter | undefined {
  if (!look.isLeafy || look.kind === 'conifers' || look.kind === 'redwoods' || stage.brief.omittedParts.has('plants'))
    return undefined
  const { compositor, geometry } = stage
  const { unit, width, height } = geometry
  const random = stage.random('canopy')
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const scale = Math.max(1, unit / 720)
  const richness = stage.wordRandom('canopy')()
  const layer = compositor.layer(layerWidth / scale, (unit * 0.3) / scale, (context: SKRSContext2D, w, h) => {
    const size = unit / scale
    for (let mass = 0; mass < Math.round((w / size) * (13 + 10 * richness)); mass++) {
      const x = random() * w
      const sideDistance = Math.abs(x / w - 0.5) * 2
      const reach = h * (0.12 + 0.5 * sideDistance * sideDistance + 0.16 * random())
      const radius = size * (0.03 + 0.04 * random())
      const leafShare = look.kind === 'jungle' ? 0.34 : look.kind === 'bamboo' ? 0.28 : 0.17
      drawFoliage(context, sprites, look, { x, y: reach * random() - h * 0.02, radius, leafShare, z: 8, isDark: true }, random)
    }
  })
  const x = (width - layerWidth) / 2
  return (moment) => {
    const sway = Math.sin(moment.seconds * 0.7) * stage.toPixels(3)
    stage.drawAt(layer, { x: x + sway, y: -height * 0.07, depth: 0.28, scale }, moment)
  }
}
