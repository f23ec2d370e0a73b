import { mixRgb } from '../picture/colour.ts'
import { clamp, smoothstep } from '../picture/curves.ts'
import type { Painter, Stage } from './stage.ts'

const columns = 960
const rows = 280

/** Streaky drifting clouds, lit where they thin out towards the sun, as one soft half-size layer. */
export function paintClouds(stage: Stage, rowEnd = stage.horizon): Painter | undefined {
  const { compositor, geometry, palette, brief, sun, noise, horizon } = stage
  if (brief.without.has('clouds')) return undefined
  const random = stage.random('clouds')
  const shiftX = random() * 200
  const isOvercast = brief.weather !== 'clear'
  const thinnest = (isOvercast ? -0.12 : 0) - random() * 0.05
  const softness = isOvercast ? 0.6 : 0.34
  const curl = isOvercast ? 0.35 : 0.8
  const isHeaped = brief.time === 'day'
  const squeeze = isHeaped ? 4.4 : 9

  const warp = noise.grid({ shape: 'soft', octaves: 3, gain: 0.5 }, columns, rows, (u, v, point) => {
    point.x = u * 5.4 + shiftX
    point.y = v * 6 + 3
  })
  const density = (lift: number, octaves: number): Float32Array =>
    noise.grid({ shape: 'soft', octaves, gain: 0.52 }, columns, rows, (u, v, point, index) => {
      const bend = warp[index] ?? 0
      point.x = u * 8.1 + bend * curl + shiftX
      point.y = (v + lift) * squeeze + bend * curl * 1.4
    })
  const here = density(0, 5)
  const sunward = density(isHeaped ? -0.03 : 0.03, 4)
  const drawnWidth = geometry.width * overscanFor(geometry.width, geometry.unit)
  const scale = drawnWidth / columns
  const top = horizon - rows * scale * 1.02

  const rgba = new Uint8Array(columns * rows * 4)
  for (let row = 0, index = 0; row < rows; row++) {
    const v = row / rows
    const band = smoothstep(0.05, 0.35, v) * (1 - smoothstep(0.8, 1, v)) * 0.88
    for (let column = 0; column < columns; column++, index++) {
      const cover = smoothstep(thinnest, thinnest + softness, here[index] ?? 0) * band
      if (cover < 0.004) continue
      const aside = (column / columns - sun.x / geometry.width) * 1.6
      const facing = clamp(0.5 + ((here[index] ?? 0) - (sunward[index] ?? 0)) * 2.6)
      const light = facing * (isHeaped ? 0.95 : 0.35 + 0.75 * Math.exp(-aside * aside * 3))
      const shade = mixRgb(palette.cloudShade, palette.haze, v * 0.45)
      const colour = mixRgb(shade, palette.cloudLit, clamp(light))
      rgba[index * 4] = colour[0] * cover
      rgba[index * 4 + 1] = colour[1] * cover
      rgba[index * 4 + 2] = colour[2] * cover
      rgba[index * 4 + 3] = cover * 255
    }
  }
  const layer = compositor.layerFromPixels(columns, rows, rgba)
  return (moment) => {
    const zoom = stage.zoom(0.015, moment)
    const x = (geometry.width - drawnWidth) * 0.5 - moment.seconds * stage.pixels(4.5)
    const centred = geometry.width / 2 + (x - geometry.width / 2) * zoom
    compositor.drawLayer(layer, { x: centred, y: horizon + (top - horizon) * zoom, scale: scale * zoom, rowEnd })
  }
}

/** Clouds keep their shape in narrow frames; the extra width is what they drift through in half a minute. */
function overscanFor(width: number, unit: number): number {
  return Math.max(1.28, (unit * 2.05) / width)
}
