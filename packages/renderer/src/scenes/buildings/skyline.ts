import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

export interface SkylineLook {
  /** Number of the row of towers, counted from the farthest row, 0. */
  order: number
  /** Position of the towers' feet, in pixels from the top of the frame. */
  foot: number
  /** Height of the tallest towers, in units. */
  tallest: number
  /** Mean width of a tower, in units. */
  towerWidth: number
  depth: number
  top: Rgb
  bottom: Rgb
  /** Share of windows that are lit. */
  litShare: number
  /** Colors of lit windows. */
  windows: readonly Rgb[]
  rowEnd: number
}

/** Paints one row of towers with lit windows, as a layer. */
export function paintSkyline(stage: Stage, look: SkylineLook): Painter {
  const { compositor, geometry } = stage
  const { unit, width } = geometry
  const random = stage.random(`skyline ${look.order}`)
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const headroom = unit * look.tallest * 1.25
  const layer = compositor.layer(layerWidth, headroom + 6, (context, w, h) => {
    const fill = context.createLinearGradient(0, 0, 0, h)
    fill.addColorStop(0, css(look.top))
    fill.addColorStop(1, css(look.bottom))
    const spread = stage.noise.sample({ shape: 'soft', octaves: 3, gain: 0.6 }, 256, (index, point) => {
      point.x = index * 0.11 * (w / unit)
      point.y = look.order * 7.7
    })
    for (let x = -10; x < w;) {
      const towerWidth = unit * look.towerWidth * (0.55 + random() * 0.9)
      const relativeHeight = 0.55 + (spread[Math.min(255, Math.round(((x + towerWidth / 2) / w) * 255))] ?? 0) * 1.6
      const towerHeight = unit * look.tallest * Math.max(0.16, Math.min(1, relativeHeight * (0.45 + 0.65 * random())))
      drawTower(context, {
        x,
        y: h - towerHeight,
        width: towerWidth,
        height: towerHeight,
        unit: stage.toPixels(1),
        fill,
        look,
        random,
      })
      x += towerWidth * (random() < 0.25 ? 1.12 : 0.96)
    }
  })
  return (moment) =>
    stage.drawAt(layer, { x: (width - layerWidth) / 2, y: look.foot - headroom, depth: look.depth, rowEnd: look.rowEnd }, moment)
}

interface Tower {
  x: number
  y: number
  width: number
  height: number
  unit: number
  fill: ReturnType<SKRSContext2D['createLinearGradient']>
  look: SkylineLook
  random: Random
}

function drawTower(context: SKRSContext2D, tower: Tower): void {
  const { x, y, width, height, unit, look, random } = tower
  context.fillStyle = tower.fill
  context.fillRect(x, y, width, height + 8)
  const crown = random()
  if (crown < 0.3) {
    context.fillRect(x + width * 0.2, y - width * 0.3, width * 0.6, width * 0.32)
    if (crown < 0.16) context.fillRect(x + width * 0.47, y - width * 0.95, Math.max(1, width * 0.045), width * 0.7)
  } else if (crown < 0.42) {
    context.beginPath()
    context.moveTo(x, y + 1)
    context.lineTo(x + width * 0.5, y - width * 0.55)
    context.lineTo(x + width, y + 1)
    context.fill()
  } else if (crown < 0.52) {
    context.beginPath()
    context.moveTo(x, y + 1)
    context.lineTo(x + width, y - width * 0.35)
    context.lineTo(x + width, y + 1)
    context.fill()
  }
  // The shade on the right side makes the tower look solid.
  context.fillStyle = css(scaleRgb(look.top, 0.5), 0.35)
  context.fillRect(x + width * 0.68, y, width * 0.32, height + 8)
  const pitchX = Math.max(3, unit * (7 + look.order * 2))
  const pitchY = Math.max(4, unit * (10 + look.order * 2.5))
  const isStriped = random() < 0.3
  const columns = Math.floor((width * 0.88) / pitchX)
  const rows = Math.floor((height * 0.94) / pitchY)
  const colorShare = random()
  for (let row = 0; row < rows; row++) {
    const isRowLit = isStriped && random() < look.litShare * 0.8
    for (let column = 0; column < columns; column++) {
      if (!isRowLit && random() > look.litShare) continue
      const windowColor = look.windows[Math.floor((colorShare * 0.7 + random() * 0.3) * look.windows.length)]
      if (!windowColor) continue
      context.fillStyle = css(mixRgb(look.bottom, windowColor, 0.45 + random() * 0.55))
      context.fillRect(x + width * 0.06 + column * pitchX, y + unit * 7 + row * pitchY, pitchX * 0.56, pitchY * 0.5)
    }
  }
}
