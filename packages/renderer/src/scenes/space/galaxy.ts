import { lightYuv, mixRgb, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints a spiral galaxy seen at an angle: a bright core, arms of blue light, and dust along the
 * arms.
 */
export function paintGalaxy(stage: Stage, { hotColor, core }: { hotColor: Rgb; core: Rgb }): Painter {
  const { compositor, noise, geometry, sun } = stage
  const { width, height, unit } = geometry
  const wordRandom = stage.wordRandom('galaxy')
  const [columns, rows] = [360, 260]
  const armCount = wordRandom() < 0.6 ? 2 : 3
  const windings = 3.2 + 2 * wordRandom()
  const tilt = 0.34 + 0.3 * wordRandom()
  const lean = (wordRandom() - 0.5) * 1.1
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)]
  // Converts texture coordinates to the plane of the disc, whose rim has the radius 1.
  const toDisc = (u: number, v: number): { x: number; y: number } => {
    const [x, y] = [(u - 0.5) * 2.2, (v - 0.5) * 2.2 * (rows / columns) * 1.3]
    return { x: x * cos + y * sin, y: (y * cos - x * sin) / tilt }
  }
  const patches = noise.grid({ shape: 'soft', octaves: 5, gain: 0.6 }, columns, rows, (u, v, point) => {
    const { x, y } = toDisc(u, v)
    point.x = x * 7 + 20
    point.y = y * 7
  })
  const [coreLight, armLight] = [lightYuv(core), lightYuv(mixRgb(hotColor, [150, 190, 255], 0.45))]
  let index = 0
  const texture = compositor.texture(columns, rows, (u, v, yuv) => {
    const { x, y } = toDisc(u, v)
    const distance = Math.hypot(x, y)
    const patch = patches[index++] ?? 0
    const angle = Math.atan2(y, x)
    const armStrength = Math.cos(angle * armCount - Math.log(distance + 0.04) * windings + patch * 1.4)
    const rim = 1 - smoothstep(0.55, 1.02, distance)
    const spiral = clamp(armStrength * 0.8 + 0.25 + patch * 0.9) ** 1.6 * rim * smoothstep(0.02, 0.3, distance)
    const dust =
      1 -
      0.6 *
        clamp(Math.cos(angle * armCount - Math.log(distance + 0.04) * windings - 0.7) * 1.6 - 0.5) *
        smoothstep(0.08, 0.3, distance)
    const glow = (spiral * 0.62 + Math.exp(-distance * 3.4) * 0.3 * rim) * dust
    const bulge = Math.exp(-(distance * distance) * 60) * 0.8 + Math.exp(-distance * 8) * 0.6
    for (const channel of [0, 1, 2] as const) yuv[channel] = coreLight[channel] * bulge + armLight[channel] * glow
  })
  const span = unit * (1.5 + 0.5 * wordRandom())
  const center = { x: width * 0.5 + (width * 0.5 - sun.x) * 0.5, y: height * (0.4 + 0.12 * wordRandom()) }
  return (moment) => {
    const zoom = stage.zoom(0.08, moment)
    const [drawnWidth, drawnHeight] = [span * zoom, span * zoom * (rows / columns)]
    const point = stage.project(center.x, center.y, 0.03, moment)
    compositor.drawTexture(
      texture,
      {
        x: point.x - drawnWidth / 2,
        y: point.y - drawnHeight / 2,
        width: drawnWidth,
        height: drawnHeight,
        rowFirst: Math.max(0, Math.floor(point.y - drawnHeight / 2)) & ~3,
        rowEnd: Math.ceil(point.y + drawnHeight / 2),
      },
      { mode: 'add', gain: 1 },
    )
  }
}
