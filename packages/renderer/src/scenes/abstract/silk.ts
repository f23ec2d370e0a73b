import { mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { clamp } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import { paintMotes } from '../air/motes.ts'
import { createFlow } from '../../picture/flow.ts'
import type { Painter, Stage } from '../stage.ts'

type Ramp = (position: number) => Rgb

/**
 * Paints folded silk that flows like liquid: a height field warped twice, colored by its folds and
 * lit by its slope.
 */
export function paintSilk(stage: Stage, ramp: Ramp): Painter[] {
  const { compositor, geometry, noise } = stage
  const { width, height, unit } = geometry
  const random = stage.random('silk')
  const scale = 0.5
  const columns = Math.ceil((width * scale) / 2) * 2
  const rows = Math.ceil((height * scale) / 2) * 2
  const widthUnits = width / unit
  const heightUnits = height / unit
  const zoom = 0.8 + 0.5 * random()
  const angle = random() * Math.PI
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const pointAt = (u: number, v: number): { x: number; y: number } => {
    const x = (u - 0.5) * widthUnits * zoom
    const y = (v - 0.5) * heightUnits * zoom
    return { x: x * cos - y * sin, y: (x * sin + y * cos) * 1.5 }
  }
  const firstWarp = noise.grid({ shape: 'soft', octaves: 2, gain: 0.4 }, columns, rows, (u, v, point) => {
    const silkPoint = pointAt(u, v)
    point.x = silkPoint.x * 1.3 + 7
    point.y = silkPoint.y * 1.3 + 3
  })
  const secondWarp = noise.grid({ shape: 'soft', octaves: 2, gain: 0.4 }, columns, rows, (u, v, point, index) => {
    const silkPoint = pointAt(u, v)
    const bend = firstWarp[index] ?? 0
    point.x = silkPoint.x * 1.1 + bend * 2.6 + 31
    point.y = silkPoint.y * 1.1 + bend * 1.9 + 17
  })
  const folds = noise.grid({ shape: 'soft', octaves: 3, gain: 0.36 }, columns, rows, (u, v, point, index) => {
    const silkPoint = pointAt(u, v)
    point.x = silkPoint.x * 0.9 + (secondWarp[index] ?? 0) * 3.2 + 50
    point.y = silkPoint.y * 0.9 + (firstWarp[index] ?? 0) * 2.2 + 70
  })
  const rgba = new Uint8Array(columns * rows * 4)
  const slopeHeight = unit * scale * 0.32
  for (let row = 0, index = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, index++) {
      const foldHeight = folds[index] ?? 0
      const left = folds[column > 0 ? index - 1 : index] ?? 0
      const foldAbove = folds[row > 0 ? index - columns : index] ?? 0
      const slopeX = (foldHeight - left) * slopeHeight
      const slopeY = (foldHeight - foldAbove) * slopeHeight
      const normal = 1 / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY)
      const diffuse = (0.62 - slopeX * 0.5 - slopeY * 0.6) * normal
      const gloss = clamp((-slopeX * 0.45 - slopeY * 0.62 + 0.62) * normal) ** 14
      const position = clamp(0.42 + foldHeight * 0.85 + (secondWarp[index] ?? 0) * 0.38)
      const base = ramp(position)
      const litColor = scaleRgb(base, 0.34 + 0.9 * clamp(diffuse, 0, 1.15))
      const color = mixRgb(litColor, mixRgb(base, [255, 248, 238], 0.72), gloss * 0.72)
      rgba[index * 4] = color[0]
      rgba[index * 4 + 1] = color[1]
      rgba[index * 4 + 2] = color[2]
      rgba[index * 4 + 3] = 255
    }
  }
  const picture = createPicture(compositor, { width: columns, height: rows, rgba })
  const grid = new WarpGrid(compositor)
  const flow = createFlow(grid, unit, stage.random('flow'))
  const light = ramp(0.86)
  return [
    (moment) => {
      // Enlarged by a tenth, so that the flow never moves the texture's edge into the frame.
      const reduction = 1 / (1.1 + 0.05 * moment.progress)
      const strength = unit * 0.022
      flow.computeAt(moment.seconds)
      grid.set((x, y, index, source) => {
        source.x = width / 2 + (x - width / 2) * reduction + flow.x(index) * strength
        source.y = height / 2 + (y - height / 2) * reduction + flow.y(index) * strength
      })
      grid.draw(picture, compositor.planes, scale)
    },
    paintMotes(stage, { count: 70, light: scaleRgb(light, 0.3), top: -height * 0.1, size: 1.2 }),
  ]
}
