import { mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

/** Paints clouds of gas around a glowing band, with lanes of dust in front of them. */
export function paintNebula(
  stage: Stage,
  { darkColor, cloud, hotColor, core }: { darkColor: Rgb; cloud: Rgb; hotColor: Rgb; core: Rgb },
): Painter {
  const { compositor, noise, geometry, sun } = stage
  const { width, height, unit } = geometry
  const columns = 448
  const rows = 252
  const random = stage.random('nebula')
  const shift = random() * 80
  const tilt = (random() - 0.5) * 1.6
  const bend = noise.grid({ shape: 'soft', octaves: 4, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = ((u * width) / unit) * 1.6 + shift
    point.y = ((v * height) / unit) * 1.6
  })
  const gas = noise.grid({ shape: 'soft', octaves: 6, gain: 0.56 }, columns, rows, (u, v, point, index) => {
    const warp = bend[index] ?? 0
    point.x = ((u * width) / unit) * 2.2 + warp * 2.1 + shift
    point.y = ((v * height) / unit) * 2.6 + warp * 1.4 + 9
  })
  const dust = noise.grid({ shape: 'ridged', octaves: 5, gain: 0.55 }, columns, rows, (u, v, point, index) => {
    const warp = bend[index] ?? 0
    point.x = ((u * width) / unit) * 1.8 + warp * 1.6 + 40 + shift
    point.y = ((v * height) / unit) * 1.8 - warp * 1.2
  })
  let index = 0
  const texture = compositor.texture(columns, rows, (u, v, yuv) => {
    const sunOffset = (u * width - sun.x) / unit
    const heightOffset = (v - 0.36) * (height / unit)
    const fromBand = (heightOffset - sunOffset * tilt * 0.5) / 0.34
    const band = Math.exp(-fromBand * fromBand * 0.9)
    const body = clamp(smoothstep(-0.3, 0.5, gas[index] ?? 0) * (0.42 + 0.75 * band))
    const heat = clamp(smoothstep(-0.16, 0.52, (gas[index] ?? 0) + 0.2 * band - 0.1)) * (0.18 + 0.82 * band)
    const lane = 1 - 0.62 * clamp(((dust[index] ?? 0) - 0.34) * 2.4) * band
    const glow = Math.exp(-Math.hypot(sunOffset, heightOffset) * 4.2)
    const color = mixRgb(
      mixRgb(mixRgb(darkColor, cloud, body), hotColor, heat * 0.85),
      core,
      clamp(heat * glow * 1.1 + glow * glow * 0.5),
    )
    const [y, cu, cv] = toYuv(scaleRgb(color, lane))
    yuv[0] = y
    yuv[1] = cu
    yuv[2] = cv
    index++
  })
  return (moment) => {
    const zoom = 1.05 + (stage.zoom(0.05, moment) - 1) * 1.6
    const x = (width - width * zoom) / 2 - stage.pan(0.08, moment)
    compositor.drawTexture(
      texture,
      { x, y: (height - height * zoom) / 2, width: width * zoom, height: height * zoom },
      { mode: 'replace' },
    )
  }
}
