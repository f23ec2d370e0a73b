import { blendTone, mixRgb, setTone, type Tone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { NoisePoint } from '../../picture/noise-field.ts'
import type { Stage } from '../stage.ts'
import { setTexel, type CloudSheet } from './cloud-sheet.ts'

/** Draws high ice clouds in streaks, which are lit where they become thin toward the sun. */
export function drawStreaks(stage: Stage, sheet: CloudSheet, cover: number): void {
  const { geometry, palette, sun, noise, horizon } = stage
  const { unit } = geometry
  const { columns, rows, rgba, scale, left, top } = sheet
  const random = stage.random('streaks')
  const wordRandom = stage.wordRandom('streaks')
  const shift = random() * 200
  const tilt = (wordRandom() - 0.5) * 0.7
  const fineness = 6.4 + wordRandom() * 4
  const curl = 0.55 + 0.6 * wordRandom()
  const isDay = palette.sunHeight > 0.2
  const writePoint = (column: number, row: number, point: NoisePoint): void => {
    const x = (left + column * scale) / unit
    const y = (top + row * scale) / unit
    point.x = x * 3.4 + shift
    point.y = (y + x * tilt) * fineness
  }
  const warp = noise.cells({ shape: 'soft', octaves: 3, gain: 0.5 }, columns, rows, (column, row, point) => {
    writePoint(column, row, point)
    point.x *= 0.62
    point.y = point.y * 0.6 + 3
  })
  const sampleDensity = (lift: number, octaves: number): Float32Array =>
    noise.cells({ shape: 'soft', octaves, gain: 0.54 }, columns, rows, (column, row, point, index) => {
      writePoint(column, row, point)
      const bend = (warp[index] ?? 0) * curl
      point.x += bend
      point.y += bend * 1.5 + lift
    })
  const localDensity = sampleDensity(0, 5)
  const sunward = sampleDensity(0.1, 4)
  const thinnest = 0.16 - cover * 0.26
  const tone: Tone = [0, 0, 0]
  for (let row = 0, index = 0; row < rows; row++) {
    const heightShare = (top + row * scale) / horizon
    const band = smoothstep(-0.05, 0.2, heightShare) * (1 - smoothstep(0.72, 0.98, heightShare)) * 0.86
    const shade = mixRgb(palette.cloudShade, palette.haze, clamp(heightShare) * 0.5)
    for (let column = 0; column < columns; column++, index++) {
      const value = localDensity[index] ?? 0
      const covered = smoothstep(thinnest, thinnest + 0.4, value) * band
      if (covered < 0.006) continue
      const sideOffset = (left + column * scale - sun.x) / unit
      const facing = clamp(0.5 + (value - (sunward[index] ?? 0)) * 2.4)
      const light = isDay ? 0.62 + facing * 0.38 : facing * (0.4 + 0.75 * Math.exp(-sideOffset * sideOffset * 1.3))
      setTone(tone, shade)
      blendTone(tone, palette.cloudLit, clamp(light))
      setTexel(rgba, index, tone, covered * (isDay ? 0.8 : 1))
    }
  }
}
