import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { lightAt, appearanceIn } from './light.ts'

/**
 * Paints a suspension bridge from side to side of the frame. It stands in the water at the row
 * `ground`.
 */
export function paintBridge(stage: Stage, subject: Subject, position: { ground: number; depth: number }): Painter {
  const { compositor, geometry, palette, brief, sun } = stage
  const { unit, width } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const light = lightAt(stage, { x: width / 2, y: position.ground - unit * 0.2 }, 0.6)
  const steel = appearanceIn(light, subject.color ?? hex('#b04a30'), 0.2)
  const hasLamps = brief.time === 'night' || brief.time === 'dusk'
  const layer = compositor.layer(layerWidth, unit * 0.4, (context, w, h) => {
    const deck = h * 0.76
    const top = h * 0.06
    const span = Math.min(w * 0.52, unit * 1.05)
    const center = w / 2 + (sun.x > width / 2 ? -1 : 1) * span * 0.16
    const towers = [center - span / 2, center + span / 2]
    const cableAt = (x: number): number => {
      const [left = 0, right = 0] = towers
      if (x >= left && x <= right) return top + (deck - h * 0.04 - top) * (1 - ((x - center) / (span / 2)) ** 2)
      const outsideShare = (x < left ? left - x : x - right) / (span * 0.5)
      return top + (deck - top) * Math.min(1, outsideShare * 1.5 - outsideShare * outsideShare * 0.55)
    }
    context.strokeStyle = css(mixRgb(steel, palette.haze, 0.2), 0.8)
    context.lineWidth = Math.max(0.8, stage.toPixels(1.3))
    context.beginPath()
    for (let x = 0; x < w; x += unit * 0.02) {
      context.moveTo(x, cableAt(x))
      context.lineTo(x, deck)
    }
    context.stroke()
    context.strokeStyle = css(mixRgb(steel, palette.rim, 0.2))
    context.lineWidth = stage.toPixels(4)
    context.beginPath()
    for (let x = 0; x <= w; x += 6) context.lineTo(x, cableAt(x))
    context.stroke()
    context.fillStyle = css(scaleRgb(steel, 0.62))
    context.fillRect(0, deck + unit * 0.006, w, unit * 0.011)
    context.fillStyle = css(mixRgb(steel, palette.rim, 0.15))
    context.fillRect(0, deck - unit * 0.004, w, unit * 0.011)
    for (const x of towers) drawTower(context, { x, top, deck, foot: h, unit, steel, rim: palette.rim })
    if (!hasLamps) return
    for (let x = unit * 0.03; x < w; x += unit * 0.06) {
      const lamp = context.createRadialGradient(x, deck - unit * 0.012, 0, x, deck - unit * 0.012, unit * 0.014)
      lamp.addColorStop(0, 'rgba(255,236,190,1)')
      lamp.addColorStop(0.22, 'rgba(255,210,130,0.6)')
      lamp.addColorStop(1, 'rgba(255,200,110,0)')
      context.fillStyle = lamp
      context.fillRect(x - unit * 0.014, deck - unit * 0.026, unit * 0.028, unit * 0.028)
    }
  })
  return (moment) =>
    stage.drawAt(
      layer,
      { x: (width - layerWidth) / 2, y: position.ground - layer.height, depth: position.depth, rowEnd: position.ground },
      moment,
    )
}

function drawTower(
  context: SKRSContext2D,
  {
    x,
    top,
    deck,
    foot,
    unit,
    steel,
    rim,
  }: { x: number; top: number; deck: number; foot: number; unit: number; steel: Rgb; rim: Rgb },
): void {
  const halfWidth = unit * 0.022
  const leg = unit * 0.011
  for (const side of [-1, 1]) {
    const left = x + side * halfWidth - leg / 2
    const fill = context.createLinearGradient(left, 0, left + leg, 0)
    fill.addColorStop(0, css(scaleRgb(steel, 0.7)))
    fill.addColorStop(1, css(mixRgb(steel, rim, 0.25)))
    context.fillStyle = fill
    context.fillRect(left, top - unit * 0.012, leg, foot - top)
  }
  context.fillStyle = css(scaleRgb(steel, 0.85))
  for (const y of [top, top + (deck - top) * 0.3, top + (deck - top) * 0.62, deck])
    context.fillRect(x - halfWidth, y, halfWidth * 2, unit * 0.012)
  context.fillStyle = css(scaleRgb(steel, 0.5))
  context.fillRect(x - halfWidth * 1.7, foot - unit * 0.022, halfWidth * 3.4, unit * 0.03)
}
