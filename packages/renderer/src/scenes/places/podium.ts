import { css, hex, lightYuv, luminance, mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../air/motes.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import type { Painter, Stage } from '../stage.ts'
import { itemsOf, paintItems } from '../table/tabletop.ts'

const backdropColors = ['#d9c2ae', '#b9c6cf', '#c7cdb4', '#d8b4b0', '#cbbfd8', '#2b2f3a'] as const
const darkBackdropColors = ['#20242c', '#2a1f26', '#18262a'] as const

/**
 * Paints products on a round podium in front of a seamless backdrop, with a beam of light that
 * crosses the frame.
 */
export function paintPodium(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { brief, geometry, horizon } = stage
  const { unit, height } = geometry
  const isDim = brief.time === 'night' || brief.mood === 'dramatic' || brief.mood === 'mysterious' || brief.style === 'neon'
  const paper = brief.colors[0] ?? hex(isDim ? stage.pick('studio', darkBackdropColors) : stage.pick('studio', backdropColors))
  const top = horizon + unit * 0.06
  return [
    paintBackdrop(stage, paper),
    subjects.sky,
    paintShape(stage, paper),
    subjects.floating,
    paintSteps(stage, paper, top),
    paintItems(stage, itemsOf(stage), { ground: top + unit * 0.012, depth: 0.2, heightMax: top - height * 0.08, alone: 0.42 }),
    subjects.ground,
    paintSweep(stage, mixRgb(paper, [255, 244, 226], 0.7), luminance(paper) > 110 ? 0.2 : 0.34),
    paintMotes(stage, { count: 50, light: scaleRgb(hex('#fff0d8'), 0.22), top: 0, size: 0.7 }),
  ]
}

/** Paints paper that hangs behind the podium and continues on the floor. */
function paintBackdrop(stage: Stage, paper: Rgb): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, height } = geometry
  const bend = horizon / height
  const texture = compositor.texture(64, 72, (u, v, yuv) => {
    const glow = Math.exp(-(((u - 0.5) * 2.1) ** 2 + ((v - bend * 0.62) * 2.3) ** 2))
    const floor = smoothstep(bend - 0.06, bend + 0.14, v)
    const shade = (0.62 + 0.5 * glow) * (1 - 0.2 * smoothstep(0.02, 0, Math.abs(v - bend)) * 0.4) + floor * 0.08
    yuv.splice(0, 3, ...toYuv(mixRgb(scaleRgb(paper, Math.min(1.12, shade)), [255, 250, 242], glow * 0.3)))
  })
  return () => compositor.drawTexture(texture, { x: 0, y: 0, width, height }, { mode: 'replace' })
}

/** Paints a plain shape behind the podium: an arch, a disc or two slabs. */
function paintShape(stage: Stage, paper: Rgb): Painter {
  const { compositor, geometry, horizon } = stage
  const { unit, width } = geometry
  const form = stage.pick('studio form', ['arch', 'disc', 'slabs'])
  const [shapeWidth, height] = [unit * 0.74, unit * 0.62]
  const tone = mixRgb(scaleRgb(paper, 0.8), hex('#f0dcc8'), luminance(paper) > 110 ? 0.12 : 0.06)
  const layer = compositor.layer(shapeWidth, height, (context, layerWidth, layerHeight) => {
    const fill = context.createLinearGradient(0, 0, layerWidth, layerHeight)
    fill.addColorStop(0, css(mixRgb(tone, [255, 255, 255], 0.22)))
    fill.addColorStop(1, css(scaleRgb(tone, 0.78)))
    context.fillStyle = fill
    context.beginPath()
    if (form === 'disc') context.arc(layerWidth / 2, layerHeight / 2, layerHeight * 0.49, 0, Math.PI * 2)
    else if (form === 'arch')
      context.roundRect(layerWidth * 0.16, 2, layerWidth * 0.68, layerHeight, [layerWidth * 0.34, layerWidth * 0.34, 0, 0])
    else {
      context.rect(layerWidth * 0.06, layerHeight * 0.3, layerWidth * 0.36, layerHeight * 0.7)
      context.rect(layerWidth * 0.5, 2, layerWidth * 0.42, layerHeight)
    }
    context.fill()
  })
  return (moment) =>
    stage.drawAt(layer, { x: (width - layer.width) / 2, y: horizon + unit * 0.03 - layer.height, depth: 0.06 }, moment)
}

/** Paints two round steps. `top` is the position of the upper step's surface. */
function paintSteps(stage: Stage, paper: Rgb, top: number): Painter {
  const { compositor, geometry } = stage
  const { unit, width, height } = geometry
  const stone = mixRgb(paper, luminance(paper) > 110 ? [250, 244, 236] : [96, 94, 104], 0.4)
  const stepsWidth = Math.min(unit * 1.16, width * 0.94)
  const ellipseRatio = 0.17
  const radii = [stepsWidth * 0.5, stepsWidth * 0.34] as const
  const rise = unit * 0.12
  const headroom = radii[1] * ellipseRatio + 4
  const layer = compositor.layer(stepsWidth * 1.2, headroom + (height - top) * 1.15, (context, layerWidth) => {
    const middle = layerWidth / 2
    const drawStep = (radius: number, from: number, to: number): void => {
      const side = context.createLinearGradient(middle - radius, 0, middle + radius, 0)
      side.addColorStop(0, css(scaleRgb(stone, 0.74)))
      side.addColorStop(0.3, css(mixRgb(stone, [255, 255, 255], 0.14)))
      side.addColorStop(1, css(scaleRgb(stone, 0.46)))
      context.fillStyle = side
      context.fillRect(middle - radius, from, radius * 2, to - from)
      context.beginPath()
      context.ellipse(middle, to, radius, radius * ellipseRatio, 0, 0, Math.PI)
      context.fill()
      const face = context.createLinearGradient(middle - radius, 0, middle + radius, 0)
      face.addColorStop(0, css(mixRgb(stone, [255, 255, 255], 0.36)))
      face.addColorStop(1, css(scaleRgb(stone, 0.82)))
      context.fillStyle = face
      context.beginPath()
      context.ellipse(middle, from, radius, radius * ellipseRatio, 0, 0, Math.PI * 2)
      context.fill()
    }
    context.fillStyle = 'rgba(10,8,14,0.3)'
    context.beginPath()
    context.ellipse(middle + radii[0] * 0.08, headroom + rise * 1.9, radii[0], radii[0] * ellipseRatio, 0, 0, Math.PI * 2)
    context.fill()
    drawStep(radii[0] * 0.97, headroom + rise, headroom + rise * 1.8)
    drawStep(radii[1], headroom, headroom + rise)
  })
  return (moment) => stage.drawAt(layer, { x: (width - layer.width) / 2, y: top - headroom, depth: 0.2 }, moment)
}

/** Paints a slanted beam that crosses the frame. */
export function paintSweep(stage: Stage, light: Rgb, strength: number): Painter {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const yuv = lightYuv(light)
  const texture = compositor.texture(64, 36, (u, v, texelYuv) => {
    const beam = Math.max(0, Math.exp(-(((u - 0.5 + (v - 0.5) * 0.24) * 5.2) ** 2)) - 0.03) * strength
    for (const channel of [0, 1, 2] as const) texelYuv[channel] = yuv[channel] * beam
  })
  const span = Math.max(width * 0.9, unit)
  return ({ seconds }) => {
    const passedShare = (seconds / 5.2 + 0.1) % 1
    compositor.drawTexture(
      texture,
      { x: (passedShare * 1.9 - 0.5) * width - span / 2, y: 0, width: span, height },
      { mode: 'add', gain: Math.sin(Math.PI * passedShare) * 0.95 },
    )
  }
}
