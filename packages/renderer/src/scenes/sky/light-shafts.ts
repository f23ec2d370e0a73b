import { lightYuv, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints slanted beams of light from above, such as those through gaps in a canopy. They sway
 * slowly.
 */
export function paintLightShafts(stage: Stage, light: Rgb, strength: number): Painter {
  const { compositor, geometry, sun } = stage
  const { width, height, unit } = geometry
  const [y, u, v] = lightYuv(light)
  const reach = 0.74
  const columns = 160
  const rows = 90
  const origin = { x: sun.x / width, y: -0.25 }
  const beams = stage.noise.grid({ shape: 'soft', octaves: 3, gain: 0.6 }, columns, rows, (across, down, point) => {
    const angle = Math.atan2((across - origin.x) * (width / unit), (down - origin.y) * (height / unit))
    point.x = angle * 9
    point.y = 3 + down * 0.25
  })
  const texture = compositor.texture(columns, rows, (across, down, yuv) => {
    const index = Math.round(down * (rows - 1)) * columns + Math.round(across * (columns - 1))
    const beam = clamp((beams[index] ?? 0) * 2.6 + 0.12) * (1 - smoothstep(0.2, reach, down)) * smoothstep(0, 0.16, down + 0.1)
    const sideOffset = ((across - origin.x) * width) / unit
    const sunGlow = Math.exp(sideOffset * sideOffset * -2.2)
    const glow = beam * sunGlow * strength
    yuv[0] = y * glow
    yuv[1] = u * glow
    yuv[2] = v * glow
  })
  return (moment) => {
    const sway = Math.sin(moment.seconds * 0.35) * width * 0.02
    const zoom = stage.zoom(0.1, moment) * 1.06
    compositor.drawTexture(
      texture,
      {
        x: width / 2 - (width * zoom) / 2 + sway,
        y: 0,
        width: width * zoom,
        height: height * zoom,
        rowEnd: Math.ceil(height * zoom * (reach + 0.02)),
      },
      { mode: 'add', gain: 0.85 + 0.12 * Math.sin(moment.seconds * 0.8) },
    )
  }
}
