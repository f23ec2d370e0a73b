import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, toYuv, colourRamp, type Rgb } from '../../picture/colour.ts'
import type { Random } from '../../picture/random.ts'
import { clamp } from '../../picture/curves.ts'
import { paintMotes } from '../floating.ts'
import { paintBank } from '../foreground.ts'
import { paintLightShafts } from '../light-shafts.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import type { TimeOfDay } from '../scene-brief.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { paintShoal } from '../subjects/swim.ts'

/** From the surface to the deep. */
const waters: Record<TimeOfDay, readonly Rgb[]> = {
  day: ['#b4f2ea', '#4cc4cc', '#1c8fb4', '#0f6494', '#0a4672'].map(hex),
  dawn: ['#ffe2cc', '#9ccfd0', '#4a9ab8', '#2a6c98', '#1c4a76'].map(hex),
  dusk: ['#ffc49a', '#a486b8', '#54609e', '#2c4482', '#182a5c'].map(hex),
  night: ['#5a9ac4', '#2a5f94', '#153c6c', '#0b254c', '#061632'].map(hex),
}

const corals = ['#f0607a', '#f08a3c', '#b85cc8', '#f4c04c', '#e84a5c', '#6a7ae8'].map(hex)

/** Light from the surface, a seabed in three depths with corals, fish, weed and bubbles. */
export function paintUnderwater(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { geometry, brief, horizon } = stage
  const { unit, height } = geometry
  const accent = brief.colours[0]
  const water = waters[brief.time].map((colour) => (accent ? mixRgb(colour, accent, 0.4) : colour))
  const ramp = colourRamp(water)
  const far = ramp(0.52)
  const deep = ramp(1)
  const light = water[0] ?? far
  const mist = createMistTexture(stage)
  const sand = mixRgb(hex('#d8c49a'), deep, brief.time === 'night' ? 0.72 : 0.5)
  const ground = (share: number): number => horizon + (height - horizon) * share
  const bed = (order: number, foot: number, relief: number, depth: number, haze: number): Painter =>
    paintRidge(stage, {
      order,
      shape: order === 0 ? 'mountain' : 'hill',
      foot,
      relief,
      frequency: order === 0 ? 1.6 : 1.1,
      depth,
      top: mixRgb(sand, far, haze),
      bottom: mixRgb(scaleRgb(mixRgb(sand, deep, 0.4), 0.8), far, haze * 0.9),
      lit: mixRgb(light, far, haze),
      shade: mixRgb(deep, far, haze),
      slopes: 0.6,
      rim: 0,
      fillTo: height,
      rowEnd: height,
    })
  const plants = !brief.without.has('plants')
  return [
    paintWaterColumn(stage, ramp, light),
    bed(0, horizon + unit * 0.1, 0.24, 0.03, 0.78),
    paintMist(stage, mist, { top: horizon - unit * 0.12, height: unit * 0.3, gain: 0.6, colour: far, order: 0 }),
    paintShoal(stage, mixRgb(far, deep, 0.55)),
    bed(2, ground(0.42), 0.13, 0.1, 0.48),
    plants
      ? paintCorals(stage, { foot: ground(0.46), height: 0.1, depth: 0.1, count: 42, water: mixRgb(far, deep, 0.3), haze: 0.55 })
      : undefined,
    subjects.sky,
    subjects.floating,
    paintMist(stage, mist, { top: ground(0.1), height: unit * 0.2, gain: 0.42, colour: far, order: 2 }),
    bed(3, ground(0.78), 0.12, 0.2, 0.14),
    paintLightShafts(stage, light, brief.time === 'night' ? 0.2 : 0.34),
    subjects.ground,
    plants
      ? paintCorals(stage, { foot: ground(0.98), height: 0.17, depth: 0.24, count: 30, water: deep, haze: 0.16 })
      : undefined,
    plants
      ? paintBank(stage, {
          colour: scaleRgb(deep, 0.5),
          blade: scaleRgb(mixRgb(deep, hex('#2c7a5c'), 0.3), 0.7),
          bankHeight: 0.1,
          bladeHeight: 0.3,
          blades: 380,
          opening: 0.5,
          seedHeads: false,
        })
      : undefined,
    paintMotes(stage, { count: 70, light: scaleRgb(light, 0.22), top: 0, size: 0.8 }),
  ]
}

/** Brightest where the sun stands over the surface. */
function paintWaterColumn(stage: Stage, ramp: (share: number) => Rgb, light: Rgb): Painter {
  const { compositor, geometry, sun } = stage
  const { width, height, unit } = geometry
  const texture = compositor.texture(160, 90, (u, v, yuv) => {
    const across = (u * width - sun.x) / unit
    const glow = Math.exp(-(across * across * 1.6 + (v * height * v * height * 5) / (unit * unit)))
    const colour = mixRgb(ramp(clamp(0.16 + v * 0.9 - glow * 0.14 + Math.abs(across) * 0.06)), light, glow * 0.6)
    yuv.splice(0, 3, ...toYuv(colour))
  })
  return () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
}

interface CoralLook {
  foot: number
  height: number
  depth: number
  count: number
  water: Rgb
  /** Share of the water's colour in the coral's. */
  haze: number
}

/** Branching corals in clumps along the ground. */
function paintCorals(stage: Stage, look: CoralLook): Painter {
  const { compositor, geometry } = stage
  const { unit, width } = geometry
  const random = stage.random(`corals ${look.depth}`)
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const layer = compositor.layer(layerWidth, unit * look.height * 1.2, (context, w, h) => {
    context.lineCap = 'round'
    const count = Math.round((look.count * w) / (unit * 2.06))
    for (let index = 0; index < count; index++) {
      const clump = 0.5 + 0.5 * Math.sin(index * 2.4)
      const x = ((index + (random() - 0.5) * 1.6) / count) * w
      const size = unit * look.height * (0.25 + 0.65 * random()) * (0.6 + 0.4 * clump)
      const colour = mixRgb(corals[Math.floor(random() * corals.length)] ?? look.water, look.water, look.haze)
      drawBranches(context, { x, y: h }, size, colour, look.water, random)
    }
  })
  return (moment) => stage.drawAt(layer, { x: (width - layerWidth) / 2, y: look.foot - layer.height, depth: look.depth }, moment)
}

function drawBranches(
  context: SKRSContext2D,
  at: { x: number; y: number },
  size: number,
  colour: Rgb,
  water: Rgb,
  random: Random,
): void {
  const grow = (x: number, y: number, angle: number, length: number, wide: number, level: number): void => {
    const [tipX, tipY] = [x + Math.sin(angle) * length, y - Math.cos(angle) * length]
    context.strokeStyle = css(mixRgb(mixRgb(colour, water, 0.45), mixRgb(colour, [255, 240, 230], 0.25), level / 4))
    context.lineWidth = wide
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(x + Math.sin(angle) * length * 0.4, y - length * 0.6, tipX, tipY)
    context.stroke()
    if (level === 4) return
    for (const side of [-1, 1])
      grow(tipX, tipY, angle + side * (0.25 + 0.35 * random()), length * (0.66 + 0.2 * random()), wide * 0.74, level + 1)
  }
  grow(at.x, at.y + size * 0.05, (random() - 0.5) * 0.3, size * 0.3, size * 0.085, 0)
}
