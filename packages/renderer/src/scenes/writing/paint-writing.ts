import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, luminance, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Writing, WritingForm } from '../prompt/quoted-text.ts'
import { chooseEmblemColors } from '../places/emblem.ts'
import type { Painter, Stage } from '../stage.ts'
import { layOutText, strokeText, type Lettering } from './lettering.ts'

/** Area of the letters, in shares of the frame. */
interface Area {
  /** Position of its middle from the top. */
  middle: number
  width: number
  height: number
  /** Maximum height of a capital, in units. */
  capitalHeightMax: number
}

const areas: Record<WritingForm, Area> = {
  neon: { middle: 0.29, width: 0.62, height: 0.3, capitalHeightMax: 0.13 },
  sign: { middle: 0.24, width: 0.58, height: 0.24, capitalHeightMax: 0.1 },
  title: { middle: 0.4, width: 0.74, height: 0.32, capitalHeightMax: 0.12 },
  caption: { middle: 0.86, width: 0.76, height: 0.13, capitalHeightMax: 0.046 },
}
/** Area of the name of an emblem, below its mark. */
const emblemNameArea: Area = { middle: 0.83, width: 0.7, height: 0.14, capitalHeightMax: 0.085 }
/** Minimum height of a capital in units, even if the letters then exceed their area. */
const capitalHeightMin = 0.028
/** Number of strokes that form the soft shadow behind a title. */
const shadowRingCount = 12
/** Number of strokes that form the halo of a neon sign. */
const haloRingCount = 16
const neonTones = [hex('#ff4f9a'), hex('#37d8ff'), hex('#ffb03a'), hex('#7dff9a'), hex('#ff5a4a')] as const
const frameTones = [hex('#37d8ff'), hex('#ffb03a'), hex('#b98cff'), hex('#7dff9a')] as const
const boards = [
  { board: hex('#2c4a3c'), letters: hex('#f4ead0') },
  { board: hex('#7a2c28'), letters: hex('#f8e6c4') },
  { board: hex('#27384f'), letters: hex('#f2ead8') },
  { board: hex('#efe4c8'), letters: hex('#3a2a20') },
] as const

/** A text in its position on the frame. */
interface PlacedText {
  lettering: Lettering
  /** Height of a capital in pixels. */
  size: number
  /** Size of the lettering in pixels. */
  width: number
  height: number
  /** Middle of the lettering, in frame pixels. */
  x: number
  y: number
}

/**
 * Paints the prompt's quoted words in front of the scene. No style is applied to them, so that they
 * stay legible.
 */
export function paintWriting(stage: Stage): Painter | undefined {
  const { writing, place } = stage.brief
  if (!writing) return undefined
  if (place === 'emblem') return paintTitle(stage, writing, emblemNameArea)
  return paintByForm[writing.form](stage, writing)
}

const paintByForm: Record<WritingForm, (stage: Stage, writing: Writing) => Painter> = {
  neon: paintNeonSign,
  sign: paintSign,
  title: (stage, writing) => paintTitle(stage, writing, areas.title),
  caption: (stage, writing) => paintTitle(stage, writing, areas.caption),
}

function placeText({ geometry }: Stage, { text }: Writing, area: Area, tracking = 0): PlacedText {
  const { width, height, unit } = geometry
  const box = { width: width * area.width, height: height * area.height }
  const lettering = layOutText(text, box.width / box.height, tracking)
  const fitScale = Math.min(box.width / lettering.width, box.height / lettering.height, unit * area.capitalHeightMax)
  const size = Math.max(fitScale, Math.min(unit * capitalHeightMin, (width * 0.94) / lettering.width))
  return {
    lettering,
    size,
    width: lettering.width * size,
    height: lettering.height * size,
    x: width / 2,
    y: height * area.middle,
  }
}

/**
 * Creates a layer around the letters with a margin of `margin` pixels on each side. `draw` has the
 * middle of the letters at 0, 0.
 */
function layerAround(stage: Stage, place: PlacedText, margin: number, draw: (context: SKRSContext2D) => void): Layer {
  return stage.compositor.layer(
    place.width + margin * 2,
    place.height + margin * 2,
    (context, width, height) => {
      context.translate(width / 2, height / 2)
      draw(context)
    },
    { isFinal: true },
  )
}

function writeText(context: SKRSContext2D, { lettering, size, height }: PlacedText, tracking = 0): void {
  strokeText(context, lettering, { x: 0, y: -height / 2, size, tracking })
}

function drawPlaced(
  stage: Stage,
  layer: Layer,
  place: PlacedText,
  moment: Parameters<Painter>[0],
  options: DrawOptions = {},
): void {
  const { offsetX = 0, offsetY = 0, depth = 0.05, opacity = 1 } = options
  const point = stage.project(place.x, place.y, depth, moment)
  stage.compositor.drawLayer(layer, {
    x: point.x + offsetX - (layer.width * point.zoom) / 2,
    y: place.y + offsetY - (layer.height * point.zoom) / 2,
    scale: point.zoom,
    opacity,
  })
}

interface DrawOptions {
  offsetX?: number
  offsetY?: number
  depth?: number
  opacity?: number
}

/** Paints glass tubes on a dark plate. Their light pulses and sometimes flickers. */
function paintNeonSign(stage: Stage, writing: Writing): Painter {
  const place = placeText(stage, writing, areas.neon)
  const { size } = place
  const tone = stage.brief.colors[0] ?? stage.pick('neon sign', neonTones)
  const frameTone = stage.pick('neon frame', frameTones)
  const margin = size * 1.5
  const outline = (context: SKRSContext2D): void => {
    const [width, height] = [place.width / 2 + size * 0.78, place.height / 2 + size * 0.72]
    context.beginPath()
    context.roundRect(-width, -height, width * 2, height * 2, size * 0.4)
  }
  const plate = layerAround(stage, place, margin, (context) => {
    outline(context)
    context.fillStyle = 'rgba(10,8,16,0.66)'
    context.fill()
    context.lineWidth = size * 0.1
    context.strokeStyle = css(scaleRgb(frameTone, 0.3))
    context.stroke()
    context.lineWidth = size * 0.13
    context.strokeStyle = css(scaleRgb(tone, 0.34))
    writeText(context, place)
  })
  const litSign = layerAround(stage, place, margin, (context) => {
    // The strokes become narrower and brighter, from the halo to the white core of the tubes.
    const halo = Array.from({ length: haloRingCount }, (_, ring) => [0.95 - (0.78 * ring) / haloRingCount, 0.034, 0] as const)
    for (const [width, alpha, white] of [...halo, [0.135, 1, 0.3], [0.06, 1, 0.86]] as const) {
      context.lineWidth = size * width * 0.8
      context.strokeStyle = css(mixRgb(frameTone, [255, 255, 255], white), alpha * 0.8)
      outline(context)
      context.stroke()
      context.lineWidth = size * width
      context.strokeStyle = css(mixRgb(tone, [255, 255, 255], white), alpha)
      writeText(context, place)
    }
  })
  const random = stage.random('neon sign')
  const phase = random() * 6
  return (moment) => {
    drawPlaced(stage, plate, place, moment)
    const { seconds } = moment
    const hum = 0.92 + 0.08 * Math.sin(seconds * 9 + phase)
    const isFlickering = Math.sin(seconds * 2.3 + phase) > 0.94 && Math.sin(seconds * 41) > 0
    drawPlaced(stage, litSign, place, moment, { opacity: stage.isStill ? 1 : isFlickering ? 0.25 : hum })
  }
}

/** Paints a board on two chains that hangs into the frame from above. */
function paintSign(stage: Stage, writing: Writing): Painter {
  const { geometry, brief } = stage
  const place = placeText(stage, writing, areas.sign)
  const { size } = place
  const isDark = brief.time === 'night'
  const boardColors = stage.pick('board', boards)
  const namedColor = brief.colors[0]
  const board = namedColor ?? boardColors.board
  const letters = namedColor ? (luminance(namedColor) > 120 ? hex('#241c18') : hex('#f8f0dc')) : boardColors.letters
  const light = isDark ? 0.72 : 1
  const [width, height] = [place.width / 2 + size * 0.9, place.height / 2 + size * 0.72]
  const chainLength = Math.max(0, place.y - height)
  const margin = Math.max(size * 1.2, chainLength + height - place.height / 2)
  const layer = layerAround(stage, place, margin, (context) => {
    context.lineWidth = Math.max(1.5, size * 0.07)
    context.strokeStyle = css(scaleRgb(hex('#8a8480'), light))
    context.setLineDash([size * 0.16, size * 0.09])
    for (const side of [-0.78, 0.78]) {
      context.beginPath()
      context.moveTo(side * width, -height)
      context.lineTo(side * width, -height - chainLength - geometry.unit * 0.02)
      context.stroke()
    }
    context.setLineDash([])
    context.fillStyle = 'rgba(8,6,10,0.3)'
    context.beginPath()
    context.roundRect(-width + size * 0.08, -height + size * 0.12, width * 2, height * 2, size * 0.22)
    context.fill()
    const face = context.createLinearGradient(0, -height, 0, height)
    face.addColorStop(0, css(scaleRgb(mixRgb(board, [255, 255, 255], 0.12), light)))
    face.addColorStop(1, css(scaleRgb(board, 0.8 * light)))
    context.fillStyle = face
    context.beginPath()
    context.roundRect(-width, -height, width * 2, height * 2, size * 0.22)
    context.fill()
    context.lineWidth = size * 0.06
    context.strokeStyle = css(letters, 0.75)
    context.beginPath()
    context.roundRect(-width + size * 0.2, -height + size * 0.2, width * 2 - size * 0.4, height * 2 - size * 0.4, size * 0.12)
    context.stroke()
    context.lineWidth = size * 0.16
    context.strokeStyle = css(isDark ? mixRgb(letters, [255, 236, 190], 0.5) : letters)
    writeText(context, place)
  })
  const swing = stage.toPixels(9)
  return (moment) =>
    drawPlaced(stage, layer, place, moment, {
      offsetX: stage.isStill ? 0 : Math.sin(moment.seconds * 1.15) * swing,
      offsetY: stage.isStill ? 0 : Math.abs(Math.sin(moment.seconds * 1.15)) * -swing * 0.1,
    })
}

/**
 * Paints letters on a soft shadow. The name of an emblem has the color of its mark, and no shadow.
 */
function paintTitle(stage: Stage, writing: Writing, area: Area): Painter {
  const isName = area === emblemNameArea
  const isCaption = area === areas.caption
  const tracking = isCaption ? 0.02 : 0.14
  const place = placeText(stage, writing, area, tracking)
  const { size } = place
  const namedColor = isName ? undefined : stage.brief.colors[0]
  const letters: Rgb = isName
    ? chooseEmblemColors(stage).mark
    : namedColor && luminance(namedColor) > 110
      ? namedColor
      : [255, 252, 244]
  const layer = layerAround(stage, place, size * 1.2, (context) => {
    context.strokeStyle = 'rgba(6,8,16,0.035)'
    for (let ring = isName ? 0 : shadowRingCount; ring > 0; ring--) {
      context.lineWidth = size * (0.16 + 0.9 * (ring / shadowRingCount))
      writeText(context, place, tracking)
    }
    context.lineWidth = size * (isCaption ? 0.14 : 0.115)
    context.strokeStyle = css(letters)
    writeText(context, place, tracking)
  })
  return (moment) => {
    const fadeIn = stage.isStill ? 1 : smoothstep(0, Math.min(0.9, stage.seconds * 0.25), moment.seconds + 0.25)
    drawPlaced(stage, layer, place, moment, {
      depth: 0.03,
      opacity: clamp(0.25 + 0.75 * fadeIn),
      offsetY: (1 - fadeIn) * size * 0.3,
    })
  }
}
