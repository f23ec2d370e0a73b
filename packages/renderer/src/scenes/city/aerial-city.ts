import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, lightYuv, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

/** Height of the eye above the ground, in meters. All further lengths are in meters too. */
const eyeHeight = 105
/** Distance from block to block. */
const pitch = 62
const streetWidth = 15
/** Distance at which the city begins. Blocks up to 40 meters nearer are drawn too. */
const nearest = 95
const farthest = 1500
const focalUnits = 1

export interface AerialLook {
  air: Rgb
  windows: readonly Rgb[]
  /** Share of windows that are lit. */
  litShare: number
  isDark: boolean
}

interface Block {
  x: number
  z: number
  halfWidth: number
  height: number
  tone: Rgb
  isPark: boolean
  seed: number
}

interface Point {
  x: number
  y: number
}

type Project = (x: number, y: number, z: number) => Point

/**
 * Returns the painters of a city seen from above, farthest first: blocks of towers in a rotated
 * grid. In the dark, the lights of cars move along the streets.
 */
export function paintAerialCity(stage: Stage, look: AerialLook): Painter[] {
  const { geometry, horizon } = stage
  const focal = geometry.unit * focalUnits
  const project: Project = (x, y, z) => ({ x: geometry.width / 2 + (x / z) * focal, y: horizon + ((eyeHeight - y) / z) * focal })
  const gridAngle = (stage.wordRandom('grid')() < 0.5 ? -1 : 1) * (0.28 + 0.4 * stage.wordRandom('grid turn')())
  const blocks = layOut(stage, gridAngle)
  const slices = [
    { nearDistance: 640, farDistance: farthest, depth: 0.03 },
    { nearDistance: 290, farDistance: 640, depth: 0.07 },
    { nearDistance: nearest, farDistance: 290, depth: 0.15 },
  ]
  return [
    ...slices.map((slice) => paintBlocks(stage, { blocks, slice, gridAngle, project, look })),
    paintCarLights(stage, project, gridAngle, look),
  ]
}

/** Lays out a downtown of tall towers, lower houses around it, and parks. */
function layOut(stage: Stage, gridAngle: number): Block[] {
  const { geometry, noise } = stage
  const random = stage.random('blocks')
  const wordRandom = stage.wordRandom('downtown')
  const center = {
    x: (wordRandom() - 0.5) * 520,
    z: 420 + 420 * wordRandom(),
    width: 190 + 200 * wordRandom(),
    height: 130 + 130 * wordRandom(),
  }
  const tones = stage.pick('facades', [
    ['#8a8f98', '#a39a8c', '#6f7a88', '#b4a898', '#7c7470'],
    ['#b0866c', '#94785f', '#c2a284', '#8a8078', '#a8a098'],
    ['#5f7488', '#8898a4', '#48586c', '#a0a8ac', '#707c84'],
  ])
  const [cos, sin] = [Math.cos(gridAngle), Math.sin(gridAngle)]
  const reach = Math.ceil((farthest * 1.6) / pitch)
  const blocks: Block[] = []
  for (let column = -reach; column <= reach; column++) {
    for (let row = -reach; row <= reach; row++) {
      const [u, v] = [column * pitch, row * pitch]
      const [x, z] = [u * cos - v * sin, u * sin + v * cos + 20]
      if (z < nearest - 40 || z > farthest || Math.abs(x) > z * 1.05 * (geometry.width / geometry.unit / 1.78) + 60) continue
      const distance = ((x - center.x) ** 2 + (z - center.z) ** 2) / center.width ** 2
      const height = 12 + 26 * random() + center.height * Math.exp(-distance) * (0.25 + 0.9 * random() ** 1.4)
      // Towers close to the viewer stay below eye level.
      const visibleHeight = Math.min(height, 22 + Math.max(0, z - nearest) * 0.62)
      blocks.push({
        x,
        z,
        halfWidth: (pitch - streetWidth) / 2,
        height: visibleHeight,
        tone: hex(tones[Math.floor(random() * tones.length)] ?? '#8a8f98'),
        isPark: random() < 0.05,
        seed: random(),
      })
    }
  }
  const parks = noise.sample({ shape: 'soft', octaves: 2, gain: 0.5 }, blocks.length, (index, point) => {
    point.x = (blocks[index]?.x ?? 0) / 330
    point.y = (blocks[index]?.z ?? 0) / 330
  })
  for (const [index, block] of blocks.entries()) if ((parks[index] ?? 0) > 0.24 && block.height < 60) block.isPark = true
  return blocks.toSorted((a, b) => b.z - a.z)
}

interface SliceDrawing {
  blocks: readonly Block[]
  slice: { nearDistance: number; farDistance: number; depth: number }
  gridAngle: number
  project: Project
  look: AerialLook
}

function paintBlocks(stage: Stage, { blocks, slice, gridAngle, project, look }: SliceDrawing): Painter {
  const { geometry, compositor, horizon } = stage
  const { unit, width, height } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const scale = Math.max(1, unit / 720)
  const left = (width - layerWidth) / 2
  const top = -unit * 0.06
  const bottom = Math.min(height * 1.07, horizon + (eyeHeight / slice.nearDistance) * unit * focalUnits * 1.12)
  const layer = compositor.layer(layerWidth / scale, (bottom - top) / scale, (context) => {
    context.scale(1 / scale, 1 / scale)
    context.translate(-left, -top)
    drawGround(stage, context, { slice, project, look })
    for (const block of blocks)
      if (block.z >= slice.nearDistance * (slice.nearDistance === nearest ? 0.5 : 1) && block.z < slice.farDistance)
        drawBlock(stage, context, { block, gridAngle, project, look })
  })
  return (moment) => stage.drawAt(layer, { x: left, y: top, depth: slice.depth, scale, rowEnd: height }, moment)
}

/** Draws asphalt that fades into the haze far away and glows in the dark. */
function drawGround(
  stage: Stage,
  context: SKRSContext2D,
  { slice, project, look }: Pick<SliceDrawing, 'slice' | 'project' | 'look'>,
): void {
  const { palette, geometry } = stage
  const [farPoint, nearPoint] = [project(0, 0, slice.farDistance), project(0, 0, slice.nearDistance)]
  const asphalt = mixRgb(scaleRgb(hex('#5c6068'), look.isDark ? 0.3 : 0.8), palette.skylight, 0.3)
  const glow = look.isDark ? mixRgb(asphalt, hex('#e8935c'), 0.4) : asphalt
  const tone = (z: number): Rgb => mixRgb(glow, look.air, hazeAt(z))
  const fill = context.createLinearGradient(0, farPoint.y, 0, nearPoint.y)
  fill.addColorStop(0, css(tone(slice.farDistance)))
  fill.addColorStop(1, css(tone(slice.nearDistance)))
  context.fillStyle = fill
  context.fillRect(-geometry.width, farPoint.y, geometry.width * 3, nearPoint.y - farPoint.y + 400)
}

function hazeAt(z: number): number {
  return 0.86 * (1 - Math.exp(-Math.max(0, z - 120) / 620))
}

function drawBlock(
  stage: Stage,
  context: SKRSContext2D,
  { block, gridAngle, project, look }: { block: Block; gridAngle: number; project: Project; look: AerialLook },
): void {
  const { palette, sun, geometry } = stage
  const random = stage.random(`block ${block.seed}`)
  const [cos, sin] = [Math.cos(gridAngle), Math.sin(gridAngle)]
  const corner = (u: number, v: number, y: number): Point =>
    project(block.x + u * cos - v * sin, y, Math.max(30, block.z + u * sin + v * cos))
  const haze = hazeAt(block.z)
  const applyLight = (color: Rgb, share: number): Rgb => {
    const channel = (index: 0 | 1 | 2): number =>
      Math.min(246, (color[index] * (palette.sunlight[index] * share + palette.skylight[index] * 0.6)) / 255)
    return mixRgb([channel(0), channel(1), channel(2)], look.air, haze)
  }
  if (block.isPark) return drawPark({ stage, context, corner, block, applyLight, random })
  // The upper part of some tall towers is narrower.
  const tiers = block.height > 90 && random() < 0.6 ? [0.62, 1] : [1]
  let [from, halfWidth] = [0, block.halfWidth * (0.82 + 0.18 * random())]
  for (const share of tiers) {
    const to = block.height * share
    const isSunRight = sun.x > geometry.width / 2
    const faces =
      gridAngle > 0
        ? ([
            [-1, -1, 1, -1],
            [1, -1, 1, 1],
          ] as const)
        : ([
            [-1, 1, -1, -1],
            [-1, -1, 1, -1],
          ] as const)
    for (const [index, [u0, v0, u1, v1]] of faces.entries()) {
      const isSunny = (index === 1) === isSunRight
      const [a, b] = [corner(u0 * halfWidth, v0 * halfWidth, from), corner(u1 * halfWidth, v1 * halfWidth, from)]
      const [c, d] = [corner(u1 * halfWidth, v1 * halfWidth, to), corner(u0 * halfWidth, v0 * halfWidth, to)]
      const fill = context.createLinearGradient(0, c.y, 0, a.y)
      fill.addColorStop(0, css(applyLight(block.tone, isSunny ? 0.85 : 0.2)))
      fill.addColorStop(1, css(applyLight(scaleRgb(block.tone, 0.7), isSunny ? 0.6 : 0.1)))
      context.fillStyle = fill
      trace(context, [a, b, c, d])
      context.fill()
      drawWindows({
        context,
        corners: [a, b, c, d],
        meters: { width: halfWidth * 2, height: to - from },
        look,
        haze,
        glass: applyLight(scaleRgb(block.tone, 0.42), isSunny ? 0.5 : 0.15),
        random,
      })
    }
    if (to < eyeHeight) {
      context.fillStyle = css(applyLight(mixRgb(block.tone, [120, 116, 112], 0.4), 0.75))
      trace(context, [
        corner(-halfWidth, -halfWidth, to),
        corner(halfWidth, -halfWidth, to),
        corner(halfWidth, halfWidth, to),
        corner(-halfWidth, halfWidth, to),
      ])
      context.fill()
    }
    from = to
    halfWidth *= 0.7
  }
  if (block.height > 120 && random() < 0.5) {
    const [foot, tip] = [corner(0, 0, block.height), corner(0, 0, block.height * (1.12 + 0.14 * random()))]
    context.strokeStyle = css(applyLight(block.tone, 0.4))
    context.lineWidth = Math.max(0.8, (geometry.unit * 2) / block.z)
    context.beginPath()
    context.moveTo(foot.x, foot.y)
    context.lineTo(tip.x, tip.y)
    context.stroke()
  }
}

function trace(context: SKRSContext2D, corners: readonly Point[]): void {
  context.beginPath()
  for (const [index, { x, y }] of corners.entries()) {
    if (index === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.closePath()
}

/**
 * Draws the windows of one face, floor by floor. All lit windows of one color are filled in one
 * call.
 */
function drawWindows({
  context,
  corners: [a, b, c, d],
  meters,
  look,
  haze,
  glass,
  random,
}: {
  context: SKRSContext2D
  corners: readonly [Point, Point, Point, Point]
  meters: { width: number; height: number }
  look: AerialLook
  haze: number
  glass: Rgb
  random: Random
}): void {
  const height = Math.abs(a.y - d.y)
  const floors = Math.min(Math.floor(meters.height / 3.6), Math.floor(height / 2.2))
  const columns = Math.min(Math.floor(meters.width / 3.4), Math.floor(Math.abs(b.x - a.x) / 1.8))
  if (floors < 2 || columns < 2) return
  const pointAt = (shareX: number, shareY: number): Point => {
    const [lowX, lowY] = [a.x + (b.x - a.x) * shareX, a.y + (b.y - a.y) * shareX]
    const [highX, highY] = [d.x + (c.x - d.x) * shareX, d.y + (c.y - d.y) * shareX]
    return { x: lowX + (highX - lowX) * shareY, y: lowY + (highY - lowY) * shareY }
  }
  const tracePane = (column: number, floor: number): void => {
    const [p, q] = [
      pointAt((column + 0.2) / columns, (floor + 0.25) / floors),
      pointAt((column + 0.8) / columns, (floor + 0.25) / floors),
    ]
    const [r, s] = [
      pointAt((column + 0.8) / columns, (floor + 0.8) / floors),
      pointAt((column + 0.2) / columns, (floor + 0.8) / floors),
    ]
    context.moveTo(p.x, p.y)
    context.lineTo(q.x, q.y)
    context.lineTo(r.x, r.y)
    context.lineTo(s.x, s.y)
  }
  // Lit panes by the index of their color.
  const litPanes = new Map<number, [number, number][]>()
  context.beginPath()
  for (let floor = 0; floor < floors; floor++) {
    const isBusy = random() < 0.2
    for (let column = 0; column < columns; column++) {
      if (random() > look.litShare * (isBusy ? 1.7 : 0.85)) {
        if (!look.isDark || random() < 0.5) tracePane(column, floor)
        continue
      }
      const colorIndex = Math.floor(random() * look.windows.length)
      litPanes.set(colorIndex, [...(litPanes.get(colorIndex) ?? []), [column, floor]])
    }
  }
  context.fillStyle = css(glass, 0.75)
  context.fill()
  for (const [colorIndex, panes] of litPanes) {
    context.fillStyle = css(mixRgb(look.windows[colorIndex] ?? glass, look.air, haze * 0.7), 0.95)
    context.beginPath()
    for (const [column, floor] of panes) tracePane(column, floor)
    context.fill()
  }
}

function drawPark({
  stage,
  context,
  corner,
  block,
  applyLight,
  random,
}: {
  stage: Stage
  context: SKRSContext2D
  corner: (u: number, v: number, y: number) => Point
  block: Block
  applyLight: (color: Rgb, share: number) => Rgb
  random: Random
}): void {
  const green =
    stage.brief.weather === 'snow' ? hex('#dfe6f0') : stage.brief.season === 'autumn' ? hex('#b8803c') : hex('#56783c')
  context.fillStyle = css(applyLight(green, 0.5))
  trace(context, [
    corner(-block.halfWidth, -block.halfWidth, 0),
    corner(block.halfWidth, -block.halfWidth, 0),
    corner(block.halfWidth, block.halfWidth, 0),
    corner(-block.halfWidth, block.halfWidth, 0),
  ])
  context.fill()
  const size = (stage.geometry.unit * focalUnits * 7) / block.z
  for (let tree = 0; tree < 16; tree++) {
    const { x, y } = corner((random() * 2 - 1) * block.halfWidth, (random() * 2 - 1) * block.halfWidth, 4)
    context.fillStyle = css(applyLight(scaleRgb(green, 0.6 + 0.5 * random()), 0.3 + 0.4 * random()))
    context.beginPath()
    context.arc(x, y, Math.max(0.8, size * (0.6 + 0.5 * random())), 0, Math.PI * 2)
    context.fill()
  }
}

/** Paints the lights of cars in the dark, as spots that move along the streets. */
function paintCarLights(stage: Stage, project: Project, gridAngle: number, look: AerialLook): Painter {
  const { compositor, geometry } = stage
  if (!look.isDark) return () => undefined
  const random = stage.random('aerial traffic')
  const [cos, sin] = [Math.cos(gridAngle), Math.sin(gridAngle)]
  const [head, tail] = [lightYuv(scaleRgb(hex('#fff0cc'), 0.8)), lightYuv(scaleRgb(hex('#ff3a24'), 0.8))]
  const cars = Array.from({ length: 170 }, () => ({
    lane: (Math.floor(random() * 36) - 18 + 0.5) * pitch,
    startDistance: random() * farthest,
    isAcross: random() < 0.5,
    speed: (9 + 8 * random()) * (random() < 0.5 ? 1 : -1),
  }))
  return (moment) => {
    for (const { lane, startDistance, isAcross, speed } of cars) {
      const movedDistance =
        ((((startDistance + moment.seconds * speed) % farthest) + farthest) % farthest) - (isAcross ? farthest / 2 : 0)
      const [u, v] = isAcross ? [movedDistance, Math.abs(lane)] : [lane, movedDistance]
      const [x, z] = [u * cos - v * sin, u * sin + v * cos + 20]
      if (z < nearest || z > 1100) continue
      const point = project(x, 1, z)
      const screenPoint = stage.project(point.x, point.y, 0.06, moment)
      const brightness = Math.exp(-z / 520) * 0.9
      const light = speed > 0 ? tail : head
      compositor.addSpot(screenPoint.x, screenPoint.y, Math.max(1.2, (geometry.unit * 2.6) / z), [
        light[0] * brightness,
        light[1] * brightness,
        light[2] * brightness,
      ])
    }
  }
}
