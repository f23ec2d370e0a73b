import { lightYuv, mixRgb, type Rgb } from '../../picture/colour.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints a spiral of stars seen at an angle, which turns slightly: a bright core, arms of young
 * blue light, and dust along them.
 */
export function paintGalaxy(stage: Stage, { hot, core }: { hot: Rgb; core: Rgb }): Painter {
  const { compositor, noise, geometry, sun } = stage
  const { width, height, unit } = geometry
  const wording = stage.wording('galaxy')
  const [columns, rows] = [360, 260]
  const arms = wording() < 0.6 ? 2 : 3
  const wound = 3.2 + 2 * wording()
  const tilt = 0.34 + 0.3 * wording()
  const lean = (wording() - 0.5) * 1.1
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)]
  // Maps u and v from the middle of the texture to the plane of the disc, whose rim is at 1.
  const disc = (u: number, v: number): { x: number; y: number } => {
    const [x, y] = [(u - 0.5) * 2.2, (v - 0.5) * 2.2 * (rows / columns) * 1.3]
    return { x: x * cos + y * sin, y: (y * cos - x * sin) / tilt }
  }
  const patches = noise.grid({ shape: 'soft', octaves: 5, gain: 0.6 }, columns, rows, (u, v, point) => {
    const { x, y } = disc(u, v)
    point.x = x * 7 + 20
    point.y = y * 7
  })
  const [heart, arm] = [lightYuv(core), lightYuv(mixRgb(hot, [150, 190, 255], 0.45))]
  let index = 0
  const texture = compositor.texture(columns, rows, (u, v, yuv) => {
    const { x, y } = disc(u, v)
    const away = Math.hypot(x, y)
    const patch = patches[index++] ?? 0
    const angle = Math.atan2(y, x)
    const along = Math.cos(angle * arms - Math.log(away + 0.04) * wound + patch * 1.4)
    const rim = 1 - smoothstep(0.55, 1.02, away)
    const spiral = clamp(along * 0.8 + 0.25 + patch * 0.9) ** 1.6 * rim * smoothstep(0.02, 0.3, away)
    const dust =
      1 - 0.6 * clamp(Math.cos(angle * arms - Math.log(away + 0.04) * wound - 0.7) * 1.6 - 0.5) * smoothstep(0.08, 0.3, away)
    const glow = (spiral * 0.62 + Math.exp(-away * 3.4) * 0.3 * rim) * dust
    const bulge = Math.exp(-(away * away) * 60) * 0.8 + Math.exp(-away * 8) * 0.6
    for (const channel of [0, 1, 2] as const) yuv[channel] = heart[channel] * bulge + arm[channel] * glow
  })
  const span = unit * (1.5 + 0.5 * wording())
  const centre = { x: width * 0.5 + (width * 0.5 - sun.x) * 0.5, y: height * (0.4 + 0.12 * wording()) }
  return (moment) => {
    const zoom = stage.zoom(0.08, moment)
    const [wide, tall] = [span * zoom, span * zoom * (rows / columns)]
    const at = stage.project(centre.x, centre.y, 0.03, moment)
    compositor.drawTexture(
      texture,
      {
        x: at.x - wide / 2,
        y: at.y - tall / 2,
        width: wide,
        height: tall,
        rowFirst: Math.max(0, Math.floor(at.y - tall / 2)) & ~3,
        rowEnd: Math.ceil(at.y + tall / 2),
      },
      { mode: 'add', gain: 1 },
    )
  }
}
