import { blendTone, css, hex, lightYuv, mixRgb, scaleRgb, setTone, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintClouds } from '../clouds/paint-clouds.ts'
import { drawChurch, drawCottage, drawPagoda, windowLight, type Building, type HouseLook } from '../buildings/cottages.ts'
import { paintBank } from '../terrain/bank.ts'
import { createMistTexture, paintMist } from '../air/mist.ts'
import { paintPassingBirds } from '../birds/passing-birds.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { crowns, toSeasonColor } from '../trees/season.ts'
import { paintBloom, paintMoon, paintSky, paintStars } from '../sky/sky.ts'
import type { Painter, Stage } from '../stage.ts'
import { combineObjects, type GroundObject } from '../terrain/ground-objects.ts'
import { lightGround, type Material } from '../terrain/light-ground.ts'
import { paintSlice } from '../terrain/paint-slice.ts'
import { createPlane, soften, type Plane } from '../terrain/plane.ts'
import { growTrees } from '../trees/plant-trees.ts'
import { cutSlices } from '../terrain/slices.ts'

/** Returns the sideways position of the lane through the village at a distance. */
type Lane = (z: number) => number

/** A house from which smoke may rise, and whose windows may be lit. `x`, `y` is in the frame. */
interface Hearth {
  x: number
  y: number
  size: number
  isLit: boolean
}

/**
 * Paints houses along a lane among hills, a tower over their roofs, smoke from chimneys, and
 * windows that are lit when it is dark.
 */
export function paintVillage(stage: Stage, subjects: PlacedSubjects, prompt: string): (Painter | undefined)[] {
  const { palette, geometry, horizon, brief } = stage
  const { height, unit } = geometry
  const wordRandom = stage.wordRandom('village')
  const [swing, pace, phase] = [0.4 + 0.7 * wordRandom(), 0.5 + 0.3 * wordRandom(), wordRandom() * 6]
  const lane: Lane = (z) => (Math.sin(z * pace + phase) - Math.sin(phase) * Math.exp(-z * 0.6)) * swing * smoothstep(0.2, 3, z)
  const plane = createPlane(stage, { eyeHeight: 0.7, farthest: 50, rise: 0.25 })
  const heights = raiseGround(stage, plane, lane)
  const mist = createMistTexture(stage)
  const air = mixRgb(palette.haze, palette.farColor, 0.3)
  const colors = lightGround(stage, plane, heights, {
    material: villageGround(stage, plane, lane),
    air: {
      from: 3,
      reach: 16,
      shareMax: 0.85,
      color: air,
      fog: { top: -0.05, softness: 0.3, strength: 0.4, color: palette.mist },
    },
  })
  const hearths: Hearth[] = []
  const hasPlants = !brief.omittedParts.has('plants')
  const homes = placeHouses(stage, plane, heights, lane, { prompt, air, hearths })
  const objects = combineObjects([...homes, ...(hasPlants ? plantOrchards(stage, plane, heights, lane, air) : [])], 1.1)
  const slices = cutSlices(plane, [
    { from: 14, depth: 0.02 },
    { from: 6, depth: 0.06 },
    { from: 2.3, depth: 0.11 },
    { from: 0, depth: 0.19 },
  ])
  const darkColor = toSeasonColor(mixRgb(hex('#2a3c20'), palette.nearColor, 0.35 + palette.subjectShade), brief.season, 0.6)
  const ground = slices.map((slice) => paintSlice(stage, { plane, heights, colors }, { ...slice, objects }))
  return [
    paintSky(stage, height),
    paintStars(stage),
    paintMoon(stage),
    paintClouds(stage, horizon),
    subjects.sky,
    ...ground.flatMap((slice, order) => [
      slice,
      order === 0 ? paintBloom(stage, height) : undefined,
      order < 3
        ? paintMist(stage, mist, {
            top: horizon + unit * (-0.07 + 0.06 * order),
            height: unit * 0.12,
            gain: 0.42 - 0.1 * order,
            order,
          })
        : undefined,
    ]),
    paintHearths(stage, hearths),
    subjects.floating,
    paintPassingBirds(stage),
    subjects.ground,
    hasPlants && brief.weather !== 'snow'
      ? paintBank(stage, {
          color: scaleRgb(darkColor, 0.6),
          bladeColor: darkColor,
          bankHeight: 0.08,
          bladeHeight: 0.09,
          blades: 1500,
          opening: 0.4,
          hasSeedHeads: true,
        })
      : undefined,
  ]
}

function raiseGround(stage: Stage, plane: Plane, lane: Lane): Float32Array {
  const { xs, zs } = plane
  const { noise } = stage
  const shift = stage.random('village')() * 60
  const wordRandom = stage.wordRandom('village hills')
  const [rolling, peakHeight] = [0.5 + 0.7 * wordRandom(), stage.pick('village far', [0.4, 1.2, 2.4])]
  const count = xs.length
  const hills = noise.sampleAt({ shape: 'soft', octaves: 3, gain: 0.4 }, xs, zs, { scale: 0.24, shiftX: shift })
  const ridges = noise.sampleAt({ shape: 'ridged', octaves: 6, gain: 0.47 }, xs, zs, { scale: 0.13, shiftX: shift, shiftY: 20 })
  const heights = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const z = zs[index] ?? 0
    const laneDistance = Math.abs((xs[index] ?? 0) - lane(z))
    // The village lies in a hollow among hills, on a slope that rises from the viewer.
    const hillside = smoothstep(0.8, 3.6, laneDistance) * rolling * (0.5 + (hills[index] ?? 0)) * smoothstep(1.5, 4, z)
    const slope = smoothstep(2, 7.5, z) * 0.42
    heights[index] =
      hillside + slope + (hills[index] ?? 0) * 0.12 + smoothstep(9, 16, z) * (ridges[index] ?? 0) * peakHeight * 1.6 - 0.05
  }
  return soften(stage, plane, heights, 1)
}

/** Returns the material of grass or snow, with the lane and with rock on distant slopes. */
function villageGround(stage: Stage, { xs, zs }: Plane, lane: Lane): Material {
  const { noise, brief } = stage
  const isWinter = brief.weather === 'snow'
  const [grass, paleGrass] = (
    isWinter
      ? ['#f2f5fb', '#dfe7f2']
      : stage.pick('village grass', [
          ['#7f9444', '#a49c52'],
          ['#6c8a44', '#8fa04c'],
          ['#929448', '#b2a258'],
        ])
  ).map((tone) => (isWinter ? hex(tone) : toSeasonColor(hex(tone), brief.season)))
  const darkColor = isWinter ? hex('#c4d2e6') : scaleRgb(grass ?? [0, 0, 0], 0.66)
  const earth = isWinter ? hex('#d8d4d0') : hex(stage.pick('lane', ['#c8aa7c', '#b89a78', '#a89c8c']))
  const rock = hex('#7c767a')
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 2.6 })
  return ({ index, x, z, level, height }, tone) => {
    const roughness = grain[index] ?? 0
    setTone(tone, grass ?? rock)
    blendTone(tone, paleGrass ?? rock, smoothstep(-0.05, 0.12, roughness))
    blendTone(tone, darkColor, clamp(0.25 + roughness * 0.9))
    const laneDistance = Math.abs(x - lane(z)) + roughness * 0.05
    blendTone(tone, earth, (1 - smoothstep(0.1, 0.17, laneDistance)) * (1 - smoothstep(10, 14, z)) * (0.9 + roughness * 0.3))
    blendTone(tone, rock, smoothstep(10, 15, z) * (1 - smoothstep(0.5, 0.75, level)) * smoothstep(0.4, 0.8, height))
  }
}

function chooseBuilding(stage: Stage, prompt: string): Building {
  const { brief } = stage
  const isEastern = /\p{Script=Han}/u.test(prompt) || /\b(china|chinese|japan\w*|asian?|korea\w*|kyoto)\b/i.test(prompt)
  if (isEastern) return 'eastern'
  if (brief.weather === 'snow') return stage.pick('building', ['log', 'timbered'])
  return stage.pick('building', ['timbered', 'stone', 'white', 'timbered'])
}

/**
 * Returns houses on both sides of the lane, most of them near it, and a tower. Each drawn building
 * is added to `hearths`.
 */
function placeHouses(
  stage: Stage,
  { rays, steps, xs, distances }: Plane,
  heights: Float32Array,
  lane: Lane,
  { prompt, air, hearths }: { prompt: string; air: Rgb; hearths: Hearth[] },
): GroundObject[] {
  const { palette, brief, sun, geometry } = stage
  const random = stage.random('houses')
  const kind = chooseBuilding(stage, prompt)
  const isLit = brief.time === 'night' || brief.time === 'dusk' || (brief.time === 'dawn' && brief.weather !== 'clear')
  const facing = sun.x > geometry.width / 2 ? 1 : -1
  const light = (color: Rgb, share: number): Rgb => [
    (color[0] * (palette.sunlight[0] * share + palette.skylight[0] * 0.74)) / 255,
    (color[1] * (palette.sunlight[1] * share + palette.skylight[1] * 0.74)) / 255,
    (color[2] * (palette.sunlight[2] * share + palette.skylight[2] * 0.74)) / 255,
  ]
  const lookAt = (z: number): HouseLook => {
    const haze = 0.8 * (1 - Math.exp(-Math.max(0, z - 2.5) / 15))
    return {
      kind,
      applyBrightLight: (color) => mixRgb(clampColor(light(color, 0.62)), air, haze),
      applyDimLight: (color) => mixRgb(clampColor(light(color, 0.16)), air, haze),
      facing,
      isLit,
      hasSnow: brief.weather === 'snow',
    }
  }
  const rayAt = (x: number, step: number): number => {
    const leftX = xs[step * rays] ?? 0
    const rightX = xs[step * rays + rays - 1] ?? 1
    return Math.round(((x - leftX) / (rightX - leftX)) * (rays - 1))
  }
  const stepAt = (z: number): number =>
    Math.max(
      0,
      Math.min(
        steps - 1,
        distances.findIndex((distance) => distance >= z),
      ),
    )
  const takenSpots: { x: number; z: number }[] = []
  const objects: GroundObject[] = []
  const addBuilding = (
    x: number,
    z: number,
    height: number,
    draw: (context: Parameters<GroundObject['draw']>[0], look: HouseLook) => void,
  ): void => {
    const step = stepAt(z)
    const ray = rayAt(x, step)
    if (ray < 3 || ray > rays - 4) return
    objects.push({
      ray,
      step,
      draw: (context, spot) => {
        const size = spot.scale * height
        if (size < 4) return
        context.save()
        context.translate(spot.x, spot.y + size * 0.03)
        context.scale(size, size)
        context.fillStyle = css(palette.shade, 0.4)
        context.beginPath()
        context.ellipse(-facing * 0.25, 0, 0.85, 0.07, 0, 0, Math.PI * 2)
        context.fill()
        draw(context, lookAt(z))
        context.restore()
        const { frame } = spot
        hearths.push({
          x: frame.x - (facing * size * 0.3) / frame.perPixel,
          y: frame.y - (size * 1.08) / frame.perPixel,
          size: size / frame.perPixel,
          isLit,
        })
      },
    })
  }
  const tower = { x: lane(6.4) + (random() < 0.5 ? -0.9 : 0.9), z: 6.6 }
  addBuilding(tower.x, tower.z, kind === 'eastern' ? 1.05 : 0.95, (context, look) =>
    kind === 'eastern' ? drawPagoda(context, look) : drawChurch(context, look, random),
  )
  takenSpots.push(tower)
  for (let attempt = 0; attempt < 260 && objects.length < 44; attempt++) {
    const z = 2.5 + 7.5 * random() ** 1.25
    const side = random() < 0.5 ? -1 : 1
    const x = lane(z) + side * (0.34 + 1.9 * random() ** 1.6)
    const gap = 0.34 + z * 0.03
    if (takenSpots.some((other) => Math.abs(other.x - x) < gap && Math.abs(other.z - z) < 0.5)) continue
    const step = stepAt(z)
    if (Math.abs(heights[step * rays + Math.max(0, Math.min(rays - 1, rayAt(x, step)))] ?? 9) > 1) continue
    takenSpots.push({ x, z })
    const height = 0.26 + 0.1 * random()
    addBuilding(x, z, height, (context, look) => drawCottage(context, look, random))
  }
  return objects
}

function clampColor([red, green, blue]: Rgb): Rgb {
  return [Math.min(250, red), Math.min(250, green), Math.min(250, blue)]
}

/** Returns trees between and behind the houses, but not on the lane. */
function plantOrchards(stage: Stage, plane: Plane, heights: Float32Array, lane: Lane, air: Rgb): GroundObject[] {
  const { palette, brief } = stage
  const { xs, zs } = plane
  const isWinter = brief.weather === 'snow'
  const leaf = mixRgb(
    (brief.season ? crowns[brief.season] : undefined) ?? hex('#4a702e'),
    palette.nearColor,
    0.1 + palette.subjectShade,
  )
  return growTrees(stage, plane, heights, {
    count: 1100,
    height: 0.34,
    color: isWinter ? mixRgb(hex('#22383a'), palette.nearColor, 0.3 + palette.subjectShade) : scaleRgb(leaf, 0.8),
    crown: isWinter ? undefined : mixRgb(scaleRgb(leaf, 1.2), palette.sunlight, 0.16),
    snow: isWinter ? mixRgb(hex('#eef2fa'), palette.skylight, 0.3) : undefined,
    air,
    reach: 13,
    threshold: 0,
    highest: 1.6,
    nearest: 2.6,
    isBare: (index) => Math.abs((xs[index] ?? 0) - lane(zs[index] ?? 0)) < 0.42 && (zs[index] ?? 0) < 9,
  })
}

/** Paints smoke from some chimneys, and warm light around lit windows. */
function paintHearths(stage: Stage, hearths: readonly Hearth[]): Painter {
  const { compositor, geometry, palette, brief } = stage
  const random = stage.random('hearths')
  const smoke = lightYuv(scaleRgb(mixRgb(palette.mist, palette.cloudLit, 0.4), brief.time === 'night' ? 0.1 : 0.13))
  const warmLight = lightYuv(scaleRgb(windowLight, brief.time === 'night' ? 0.2 : 0.12))
  const smokingHearths = hearths.map((hearth) => ({
    ...hearth,
    hasSmoke: hearth.size > geometry.unit * 0.03 && random() < 0.24,
    phase: random(),
  }))
  return (moment) => {
    for (const { x, y, size, isLit, hasSmoke, phase } of smokingHearths) {
      const point = stage.project(x, y, 0.08, moment)
      if (isLit) compositor.addSpot(point.x, point.y + size * 0.7, size * 0.8, warmLight)
      if (!hasSmoke) continue
      for (let puff = 0; puff < 12; puff++) {
        const lifeShare = (puff / 12 + moment.seconds * 0.05 + phase) % 1
        const strength = Math.sin(Math.PI * lifeShare ** 0.6) * (1 - lifeShare * 0.5)
        const drift =
          lifeShare ** 1.5 * size * 1.9 + Math.sin(lifeShare * 6 + phase * 9 + moment.seconds * 0.4) * size * 0.16 * lifeShare
        compositor.addSpot(point.x + drift, point.y - lifeShare * size * 1.7, size * (0.1 + 0.55 * lifeShare), [
          smoke[0] * strength,
          smoke[1] * strength,
          smoke[2] * strength,
        ])
      }
    }
  }
}
