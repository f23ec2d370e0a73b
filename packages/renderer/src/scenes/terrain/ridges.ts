import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Layer } from '../../picture/compositor.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { drawFir } from '../trees/firs.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

export interface RidgeLook {
  /** Number of the ridge. It selects the ridge's random numbers. */
  order: number
  shape: 'mountain' | 'hill' | 'dune'
  /** Foot line in pixels from the top of the frame. */
  foot: number
  /** Height of the relief in units. */
  relief: number
  /** Number of features per unit of width. */
  frequency: number
  depth: number
  /** Color of the crest. */
  top: Rgb
  /** Color of the foot. */
  bottom: Rgb
  litColor: Rgb
  shade: Rgb
  /** Strength of the light on the slopes. A strength of 0 gives a flat silhouette. */
  slopes: number
  /** Strength of the light along the crest. */
  rim: number
  firs?: { height: number; color: Rgb; density: number; snow?: Rgb }
  /** Last row of the filled layer, below the foot line. */
  fillTo: number
  rowEnd?: number
}

/** Space above the foot line for the highest crest, in units. */
const headroom = 0.36
const lineStep = 2
const slopeColumns = 400
const slopeRows = 128

/**
 * Paints one range of mountains, hills or dunes across the frame, as a layer with its own depth.
 */
export function paintRidge(stage: Stage, look: RidgeLook): Painter {
  const { geometry } = stage
  const { unit, width } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const layer = drawRidge(stage, look, layerWidth)
  const position = { x: (width - layerWidth) / 2, y: look.foot - unit * headroom, depth: look.depth }
  const rows = { rowEnd: look.rowEnd ?? geometry.height }
  return (moment) => stage.drawAt(layer, { ...position, ...rows }, moment)
}

function drawRidge(stage: Stage, look: RidgeLook, layerWidth: number): Layer {
  const { unit } = stage.geometry
  const height = unit * headroom + Math.max(8, look.fillTo - look.foot)
  return stage.compositor.layer(layerWidth, height, (context, width, layerHeight) => {
    const crest = crestLine(stage, look, width)
    traceRidge(context, crest, width, layerHeight)
    const isLow = look.shape !== 'mountain'
    const start = isLow ? Math.min(...crest) : unit * headroom * 0.2
    const gradient = context.createLinearGradient(
      0,
      start,
      0,
      Math.min(layerHeight, isLow ? start + unit * 0.26 : unit * (headroom + 0.02)),
    )
    gradient.addColorStop(0, css(look.top))
    gradient.addColorStop(0.55, css(mixRgb(look.top, look.bottom, 0.45)))
    gradient.addColorStop(1, css(look.bottom))
    context.fillStyle = gradient
    context.fill()
    context.save()
    context.clip()
    if (look.slopes > 0) shadeSlopes(stage, look, context, crest, width, layerHeight)
    if (look.rim > 0) strokeRim(stage, look, context, crest, width)
    context.restore()
    if (look.firs) plantFirs(stage, look, look.firs, context, crest, width)
  })
}

/** Returns the layer row of the crest for every second pixel (`lineStep`). */
function crestLine(stage: Stage, look: RidgeLook, width: number): Float32Array {
  const { noise, geometry, sun } = stage
  const { unit } = geometry
  const count = Math.ceil(width / lineStep) + 2
  const unitsAt = (index: number): number => (index * lineStep) / unit
  const shift = look.order * 13.7
  const { frequency, relief } = look
  const foot = unit * headroom
  const line = new Float32Array(count)
  const broadNoise = noise.sample({ shape: 'soft', octaves: 2, gain: 0.5 }, count, (index, point) => {
    point.x = unitsAt(index) * frequency * 0.55 + shift * 0.51
    point.y = 9 + look.order
  })
  if (look.shape === 'hill') {
    const fine = noise.sample({ shape: 'soft', octaves: 4, gain: 0.5 }, count, (index, point) => {
      point.x = unitsAt(index) * frequency * 5 + shift
      point.y = look.order * 2.3
    })
    for (let index = 0; index < count; index++)
      line[index] = foot - unit * relief * (0.5 + (broadNoise[index] ?? 0) * 1.2 + (fine[index] ?? 0) * 0.07)
    return softenHeights(line, unit)
  }
  const ridgeNoise = noise.sample(
    { shape: 'ridged', octaves: look.shape === 'dune' ? 1 : 5, gain: 0.5 },
    count,
    (index, point) => {
      point.x = unitsAt(index) * frequency + shift
      point.y = look.order * 3.1 + 0.5
    },
  )
  if (look.shape === 'dune') {
    for (let index = 0; index < count; index++)
      line[index] = foot - unit * relief * ((ridgeNoise[index] ?? 0) * 1.5 + (broadNoise[index] ?? 0) * 0.9 - 0.1)
    return softenHeights(line, unit)
  }
  const jagged = noise.sample({ shape: 'ridged', octaves: 5, gain: 0.62 }, count, (index, point) => {
    point.x = unitsAt(index) * frequency * 4.3 + 31 * look.order
    point.y = 2 + look.order
  })
  const grain = noise.sample({ shape: 'soft', octaves: 4, gain: 0.6 }, count, (index, point) => {
    point.x = unitsAt(index) * 62
    point.y = look.order
  })
  const isFar = look.depth < 0.08
  for (let index = 0; index < count; index++) {
    // A distant range has a saddle in front of the sun.
    const sideDistance = Math.abs(index * lineStep - (width - geometry.width) / 2 - sun.x) / (unit * 1.78)
    const saddle = isFar ? 0.55 + 0.75 * smoothstep(0, 0.42, sideDistance) : 1
    const height =
      relief * ((ridgeNoise[index] ?? 0) * 1.5 * saddle + (broadNoise[index] ?? 0) * 0.4 - 0.38) +
      (0.052 - 0.012 * Math.min(3, look.order)) * ((jagged[index] ?? 0) - 0.45) +
      (isFar ? 0.0085 : 0.004) * (grain[index] ?? 0)
    line[index] = foot - unit * height
  }
  return softenHeights(line, unit)
}

/** Limits the height of the crest softly, because a clipped peak would look cut off. */
function softenHeights(line: Float32Array, unit: number): Float32Array {
  const limit = unit * 0.11
  return line.map((y) => (y < limit ? limit * (0.15 + 0.85 * Math.exp((y - limit) / limit / 0.85)) : y))
}

function traceRidge(context: SKRSContext2D, crest: Float32Array, width: number, height: number): void {
  context.beginPath()
  context.moveTo(0, height)
  for (let index = 0; index < crest.length; index++) context.lineTo(index * lineStep, crest[index] ?? 0)
  context.lineTo(width, height)
  context.closePath()
}

/**
 * Shades slopes below the crest. The slopes come from a noise field that partly follows the crest.
 * Slopes that face the sun have the lit color.
 */
function shadeSlopes(
  stage: Stage,
  look: RidgeLook,
  context: SKRSContext2D,
  crest: Float32Array,
  width: number,
  height: number,
): void {
  const { noise, geometry, sun } = stage
  const isDune = look.shape === 'dune'
  const isHill = look.shape === 'hill'
  const unitsAcross = width / geometry.unit
  const frequency = look.frequency * (isDune ? 1 : isHill ? 1.6 : 3.1)
  const shadedRows = Math.min(height, geometry.unit * 0.5)
  const crestAt = new Float32Array(slopeColumns)
  for (let column = 0; column < slopeColumns; column++) {
    crestAt[column] = (crest[Math.round(((column / slopeColumns) * width) / lineStep)] ?? 0) / shadedRows
  }
  const field = (shiftX: number, shiftY: number): Float32Array =>
    noise.cells(
      { shape: isHill ? 'soft' : 'ridged', octaves: isDune ? 2 : 4, gain: isDune ? 0.3 : 0.56 },
      slopeColumns,
      slopeRows,
      (column, row, point) => {
        // The field follows the crest only partly. If it followed the crest fully, it would have
        // bands along the crest. If it depended only on the height, it would ignore the crest.
        const crestDistance = row / slopeRows - (crestAt[column] ?? 0) * 0.6
        const columnShare = column / slopeColumns
        const bend = 2.1 + 1.3 * Math.sin(columnShare * 7 + look.order * 2)
        point.x = columnShare * unitsAcross * frequency + look.order * 17.3 + crestDistance * bend + shiftX
        point.y = crestDistance * (isDune ? 5 : 3.2) + look.order * 5 + shiftY
      },
    )
  const fieldHere = field(0, 0)
  const fieldSunward = field(0.012 * (frequency / 3), 0.02)
  const smallCanvas = createCanvas(slopeColumns, slopeRows)
  const smallContext = smallCanvas.getContext('2d')
  const image = smallContext.createImageData(slopeColumns, slopeRows)
  const sunColumn = ((sun.x + (width - geometry.width) / 2) / width) * slopeColumns
  const strength = look.slopes * (isDune ? 3.4 : isHill ? 2.6 : 1)
  for (let row = 0, index = 0; row < slopeRows; row++) {
    for (let column = 0; column < slopeColumns; column++, index++) {
      const crestDistance = row / slopeRows - (crestAt[column] ?? 0)
      if (crestDistance < -0.01) continue
      const facing = 9 * clamp((sunColumn - column) / (slopeColumns * 0.14), -1, 1)
      const light = clamp(
        ((fieldSunward[index] ?? 0) - (fieldHere[index] ?? 0)) * facing * (isDune || isHill ? 1.6 : 1) + 0.1,
        -1,
        1,
      )
      const color = light > 0 ? look.litColor : look.shade
      const fade = (1 - smoothstep(0.1, isDune || isHill ? 0.95 : 0.5, crestDistance)) * (1 - smoothstep(0.7, 1, row / slopeRows))
      image.data[index * 4] = color[0]
      image.data[index * 4 + 1] = color[1]
      image.data[index * 4 + 2] = color[2]
      image.data[index * 4 + 3] = Math.min(200, Math.abs(light) * (light > 0 ? 105 : 135) * strength * fade)
    }
  }
  smallContext.putImageData(image, 0, 0)
  // The few long creases of a dune would look stepped at lower quality. The many creases of a
  // mountain hide the steps.
  context.imageSmoothingQuality = isDune ? 'high' : 'medium'
  context.drawImage(smallCanvas, 0, 0, width, shadedRows)
}

/**
 * Draws a thin line of light along the parts of the crest that face the sun. It is brightest in
 * front of the sun.
 */
function strokeRim(stage: Stage, look: RidgeLook, context: SKRSContext2D, crest: Float32Array, width: number): void {
  const { geometry, sun } = stage
  const steps = 8
  const parts = Array.from({ length: steps + 1 }, (): number[] => [])
  for (let index = 1; index < crest.length - 1; index++) {
    const fromSun = (index * lineStep - (width - geometry.width) / 2 - sun.x) / geometry.unit
    const slope = (crest[index + 1] ?? 0) - (crest[index - 1] ?? 0)
    const facing = clamp((fromSun < 0 ? slope : -slope) * 0.3 + 0.3)
    parts[Math.round(facing * Math.exp(-fromSun * fromSun * 3.2) * look.rim * steps)]?.push(index)
  }
  context.lineWidth = stage.toPixels(2)
  context.lineCap = 'round'
  for (const [step, indices] of parts.entries()) {
    if (step === 0 || indices.length === 0) continue
    context.strokeStyle = css(stage.palette.rim, (step / steps) * 0.85)
    context.beginPath()
    for (const index of indices) {
      context.moveTo(index * lineStep - 1, (crest[index] ?? 0) + 1)
      context.lineTo(index * lineStep + 2, (crest[index + 1] ?? 0) + 1)
    }
    context.stroke()
  }
}

function plantFirs(
  stage: Stage,
  look: RidgeLook,
  firs: NonNullable<RidgeLook['firs']>,
  context: SKRSContext2D,
  crest: Float32Array,
  width: number,
): void {
  const random = stage.random(`firs ${look.order}`)
  const { unit } = stage.geometry
  const spacing = firs.height * 0.26
  const clumps = stage.noise.sample({ shape: 'soft', octaves: 3, gain: 0.6 }, Math.ceil(width / spacing), (index, point) => {
    point.x = ((index * spacing) / unit) * 9
    point.y = 4 + look.order * 3
  })
  for (const [index, clump] of clumps.entries()) {
    const treeDensity = clump + firs.density
    const x = (index + random() * 0.9) * spacing
    const height = firs.height * (0.4 + random() * 0.6) * (0.6 + 0.5 * clamp(treeDensity + 0.3))
    if (treeDensity < 0) continue
    const y = (crest[Math.min(crest.length - 1, Math.round(x / lineStep))] ?? 0) + stage.toPixels(3)
    drawFir(context, { x, y, height, color: firs.color, snow: firs.snow, random })
  }
}
