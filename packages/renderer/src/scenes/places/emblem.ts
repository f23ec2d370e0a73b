import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, lightYuv, luminance, mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Painter, Stage } from '../stage.ts'
import { presenceOf } from '../subjects/kinds.ts'
import type { Model } from '../subjects/model.ts'
import { drawPoses, showPose } from '../subjects/poses.ts'
import { paintSweep } from './podium.ts'

interface EmblemColors {
  page: Rgb
  mark: Rgb
  accent: Rgb
}

type ColorScheme = readonly [page: string, mark: string, accent: string]

const schemes: readonly [ColorScheme, ...ColorScheme[]] = [
  ['#f4efe6', '#27304a', '#e2703a'],
  ['#1f2a38', '#f2ead8', '#e8a94c'],
  ['#f6f2ec', '#2f5a4a', '#d8a24a'],
  ['#2a1e2e', '#f4e4d4', '#e0607a'],
  ['#eef2f4', '#1f3f6a', '#34a0a4'],
]

/**
 * Returns the colors of an emblem's page, mark and accent. The mark has the color that the prompt
 * names, if any.
 */
export function chooseEmblemColors(stage: Stage): EmblemColors {
  const [page, mark, accent] = stage.pick('emblem', schemes).map(hex)
  const colors = { page: page ?? [244, 239, 230], mark: mark ?? [39, 48, 74], accent: accent ?? [226, 112, 58] } as const
  const namedColor = stage.brief.colors[0]
  if (!namedColor) return colors
  const isPale = luminance(namedColor) > 150
  return {
    page: isPale ? hex('#20242e') : hex('#f5f1ea'),
    mark: namedColor,
    accent: isPale ? colors.accent : scaleRgb(namedColor, 0.7),
  }
}

/**
 * Paints a mark on a plain page: the first subject of the prompt in a ring, or plain shapes if the
 * prompt names no subject or the first one has no model.
 */
export function paintEmblem(stage: Stage): (Painter | undefined)[] {
  const { geometry, compositor, brief } = stage
  const { width, height, unit } = geometry
  // A mark is plain and flat in any style.
  compositor.treatLayer = undefined
  const colors = chooseEmblemColors(stage)
  compositor.setFinish({ vignette: 0.08, dither: 0.6 })
  const radius = Math.min(unit * 0.3, width * 0.34)
  const middle = { x: width / 2, y: height * (brief.writing ? 0.4 : 0.5) }
  const subject = brief.subjects[0]
  const presence = subject && presenceOf(subject)
  const model = presence && 'model' in presence ? presence.model : undefined
  const markLayer = compositor.layer(
    radius * 2.1,
    radius * 2.1,
    (context, side) => {
      context.translate(side / 2, side / 2)
      if (model) drawRing(context, radius, colors)
      else marks[stage.pick('mark', ['petals', 'peaks', 'waves', 'rings'] as const)](context, radius, colors)
    },
    { isFinal: true },
  )
  return [
    paintPage(stage, colors.page),
    (moment) => showMark(stage, markLayer, middle, moment.progress),
    subject && model ? paintInRing(stage, { subject, model }, { ...middle, radius }) : undefined,
    paintSweep(stage, mixRgb(colors.page, [255, 255, 255], 0.8), luminance(colors.page) > 120 ? 0.035 : 0.1),
  ]
}

/** Returns the zoom of the mark, which grows slightly during the video. */
function markZoom(progress: number): number {
  return 0.93 + 0.12 * smoothstep(-0.1, 1.1, progress)
}

function showMark({ compositor }: Stage, layer: Layer, { x, y }: { x: number; y: number }, progress: number): void {
  const scale = markZoom(progress)
  compositor.drawLayer(layer, { x: x - (layer.width * scale) / 2, y: y - (layer.height * scale) / 2, scale })
}

/** Paints a plain page with a drifting light. */
function paintPage(stage: Stage, page: Rgb): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const texture = compositor.texture(32, 32, (_u, _v, yuv) => yuv.splice(0, 3, ...toYuv(page)))
  const light = lightYuv(luminance(page) > 120 ? [9, 8, 6] : [26, 25, 28])
  const pool = compositor.texture(48, 48, (u, v, yuv) => {
    const glow = Math.max(0, Math.exp(-((u - 0.5) ** 2 + (v - 0.5) ** 2) * 11) - 0.06)
    for (const channel of [0, 1, 2] as const) yuv[channel] = light[channel] * glow
  })
  const size = Math.max(width, unit) * 1.3
  return ({ seconds }) => {
    compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
    const sideOffset = Math.sin(seconds * 0.75 - 1.6) * width * 0.34
    compositor.drawTexture(
      pool,
      { x: width / 2 + sideOffset - size / 2, y: height * 0.36 - size / 2, width: size, height: size },
      { mode: 'add', gain: 0.95 },
    )
  }
}

function paintInRing(
  stage: Stage,
  { subject, model }: { subject: Stage['brief']['subjects'][number]; model: Model },
  { x, y, radius }: { x: number; y: number; radius: number },
): Painter {
  const { reach } = model
  const drawnHeight = Math.min(reach.up, 1.2) + reach.down * 0.5
  const height = Math.min((radius * 1.16) / drawnHeight, (radius * 1.3) / (reach.side * 2))
  const ground = y + (height * drawnHeight) / 2 - reach.down * height * 0.5
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, { height, x, ground, distance: 0, stillPhases: [(stillSeconds * pace) % 1] })
  return (moment) => {
    const size = markZoom(moment.progress)
    const placement = { x, y: y + (ground - y) * size, depth: 0, phase: moment.seconds * pace, member: 0, size }
    showPose(stage, poses, placement, { ...moment, progress: 0 })
  }
}

function drawRing(context: SKRSContext2D, radius: number, { page, mark, accent }: EmblemColors): void {
  context.fillStyle = css(mixRgb(page, mark, 0.1))
  context.beginPath()
  context.arc(0, 0, radius * 0.9, 0, Math.PI * 2)
  context.fill()
  context.lineCap = 'round'
  context.strokeStyle = css(mark)
  context.lineWidth = radius * 0.06
  context.beginPath()
  context.arc(0, 0, radius * 0.95, 0, Math.PI * 2)
  context.stroke()
  context.strokeStyle = css(accent)
  context.lineWidth = radius * 0.028
  context.beginPath()
  context.arc(0, 0, radius * 0.83, Math.PI * 0.16, Math.PI * 0.84)
  context.stroke()
}

type MarkDrawer = (context: SKRSContext2D, radius: number, colors: EmblemColors) => void

const marks: Record<'petals' | 'peaks' | 'waves' | 'rings', MarkDrawer> = {
  petals: (context, radius, { mark, accent }) => {
    for (let petal = 0; petal < 8; petal++) {
      context.save()
      context.rotate((petal / 8) * Math.PI * 2)
      context.fillStyle = css(petal % 2 ? accent : mark, 0.9)
      context.beginPath()
      context.moveTo(0, -radius * 0.12)
      context.bezierCurveTo(radius * 0.34, -radius * 0.4, radius * 0.24, -radius * 0.82, 0, -radius * 0.96)
      context.bezierCurveTo(-radius * 0.24, -radius * 0.82, -radius * 0.34, -radius * 0.4, 0, -radius * 0.12)
      context.fill()
      context.restore()
    }
  },
  peaks: (context, radius, { page, mark, accent }) => {
    context.save()
    context.beginPath()
    context.arc(0, 0, radius * 0.94, 0, Math.PI * 2)
    context.fillStyle = css(mark)
    context.fill()
    context.clip()
    context.fillStyle = css(accent)
    context.beginPath()
    context.arc(radius * 0.26, -radius * 0.3, radius * 0.28, 0, Math.PI * 2)
    context.fill()
    context.fillStyle = css(page)
    context.beginPath()
    for (const [x, y] of [
      [-1, 0.6],
      [-0.34, -0.36],
      [0.02, 0.14],
      [0.24, -0.12],
      [1, 0.66],
      [1, 1],
      [-1, 1],
    ] as const)
      context.lineTo(x * radius, y * radius)
    context.fill()
    context.restore()
  },
  waves: (context, radius, { mark, accent }) => {
    context.save()
    context.beginPath()
    context.arc(0, 0, radius * 0.94, 0, Math.PI * 2)
    context.clip()
    context.lineWidth = radius * 0.12
    for (let wave = 0; wave < 7; wave++) {
      context.strokeStyle = css(wave % 3 === 1 ? accent : mark)
      const y = radius * (-0.78 + wave * 0.26)
      context.beginPath()
      context.moveTo(-radius, y)
      context.bezierCurveTo(-radius * 0.4, y - radius * 0.34, radius * 0.1, y + radius * 0.34, radius, y - radius * 0.06)
      context.stroke()
    }
    context.restore()
  },
  rings: (context, radius, { mark, accent }) => {
    context.lineWidth = radius * 0.13
    for (let ring = 0; ring < 3; ring++) {
      const angle = (ring / 3) * Math.PI * 2 - Math.PI / 2
      context.strokeStyle = css(ring === 1 ? accent : mark)
      context.beginPath()
      context.arc(Math.cos(angle) * radius * 0.36, Math.sin(angle) * radius * 0.36, radius * 0.5, 0, Math.PI * 2)
      context.stroke()
    }
  },
}
