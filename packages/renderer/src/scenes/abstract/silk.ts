import { mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
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
  const across = width / unit
  const down = height / unit
  const zoom = 0.8 + 0.5 * random()
  const angle = random() * Math.PI
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const place = (u: number, v: number): { x: number; y: number } => {
    const x = (u - 0.5) * across * zoom
    const y = (v - 0.5) * down * zoom
    return { x: x * cos - y * sin, y: (x * sin + y * cos) * 1.5 }
  }
  const first = noise.grid({ shape: 'soft', octaves: 2, gain: 0.4 }, columns, rows, (u, v, point) => {
    const at = place(u, v)
    point.x = at.x * 1.3 + 7
    point.y = at.y * 1.3 + 3
  })
  const second = noise.grid({ shape: 'soft', octaves: 2, gain: 0.4 }, columns, rows, (u, v, point, index) => {
    const at = place(u, v)
    const bend = first[index] ?? 0
    point.x = at.x * 1.1 + bend * 2.6 + 31
    point.y = at.y * 1.1 + bend * 1.9 + 17
  })
  const folds = noise.grid({ shape: 'soft', octaves: 3, gain: 0.36 }, columns, rows, (u, v, point, index) => {
    const at = place(u, v)
    point.x = at.x * 0.9 + (second[index] ?? 0) * 3.2 + 50
    point.y = at.y * 0.9 + (first[index] ?? 0) * 2.2 + 70
  })
  const rgba = new Uint8Array(columns * rows * 4)
  const steep = unit * scale * 0.32
  for (let row = 0, index = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, index++) {
      const here = folds[index] ?? 0
      const left = folds[column > 0 ? index - 1 : index] ?? 0
      const above = folds[row > 0 ? index - columns : index] ?? 0
      const slopeX = (here - left) * steep
      const slopeY = (here - above) * steep
      const normal = 1 / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY)
      const diffuse = (0.62 - slopeX * 0.5 - slopeY * 0.6) * normal
      const gloss = clamp((-slopeX * 0.45 - slopeY * 0.62 + 0.62) * normal) ** 14
      const position = clamp(0.42 + here * 0.85 + (second[index] ?? 0) * 0.38)
      const base = ramp(position)
      const lit = scaleRgb(base, 0.34 + 0.9 * clamp(diffuse, 0, 1.15))
      const colour = mixRgb(lit, mixRgb(base, [255, 248, 238], 0.72), gloss * 0.72)
      rgba[index * 4] = colour[0]
      rgba[index * 4 + 1] = colour[1]
      rgba[index * 4 + 2] = colour[2]
      rgba[index * 4 + 3] = 255
    }
  }
  const picture = createPicture(compositor, { width: columns, height: rows, rgba })
  const grid = new WarpGrid(compositor)
  const flow = createFlow(grid, unit, stage.random('flow'))
  const light = ramp(0.86)
  return [
    (moment) => {
      // Enlarged by a tenth, so that the flow never reaches past the edge.
      const near = 1 / (1.1 + 0.05 * moment.progress)
      const strength = unit * 0.022
      flow.at(moment.seconds)
      grid.set((x, y, index, source) => {
        source.x = width / 2 + (x - width / 2) * near + flow.x(index) * strength
        source.y = height / 2 + (y - height / 2) * near + flow.y(index) * strength
      })
      grid.draw(picture, compositor.planes, scale)
    },
    paintMotes(stage, { count: 70, light: scaleRgb(light, 0.3), top: -height * 0.1, size: 1.2 }),
  ]
}
