import { blendTone, mixRgb, setTone, type Tone } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { NoisePoint } from '../../picture/noise-field.ts'
import type { Stage } from '../stage.ts'
import { setTexel, type CloudSheet } from './cloud-sheet.ts'

/** A layer of cloud seen from below, which stretches to the horizon in perspective. */
export interface DeckLook {
  /** Number of noise cells per unit of the plane, sideways. */
  columnsPerUnit: number
  /** Number of noise cells per unit of the plane, into the distance. */
  rowsPerUnit: number
  shape: 'soft' | 'ridged'
  /** Strength of the bend of the cells. */
  curl: number
  /** Noise value at which the clouds begin. */
  from: number
  /** Noise value at which the clouds are full. */
  full: number
  /** Opacity of full clouds. */
  strength: number
  /** Contrast of the light on the undersides. */
  relief: number
}

/** Elevation in units that is added to each row, so that the distance at the horizon is finite. */
const elevationOffset = 0.1

export function drawDeck(stage: Stage, sheet: CloudSheet, look: DeckLook): void {
  const { geometry, palette, sun, horizon, noise } = stage
  const { unit, width } = geometry
  const { columns, rows, rgba, scale, left, top } = sheet
  const random = stage.random('deck')
  const [shiftX, shiftY] = [random() * 60, random() * 60]
  const slant = (stage.wordRandom('deck')() - 0.5) * 0.9
  const isLow = stage.palette.sunHeight < 0.2
  const rowDistances = new Float32Array(rows)
  for (let row = 0; row < rows; row++)
    rowDistances[row] = 1 / (Math.max(0, (horizon - (top + row * scale)) / unit) + elevationOffset)
  const writePoint = (column: number, row: number, point: NoisePoint): void => {
    const rowDistance = rowDistances[row] ?? 0
    const x = ((left + column * scale - width / 2) / unit) * rowDistance
    point.x = (x + rowDistance * slant) * look.columnsPerUnit + shiftX
    point.y = (rowDistance - x * slant) * look.rowsPerUnit + shiftY
  }
  const bend = noise.cells({ shape: 'soft', octaves: 2, gain: 0.5 }, columns, rows, (column, row, point) => {
    writePoint(column, row, point)
    point.x *= 0.6
    point.y = point.y * 0.6 + 40
  })
  const field = (lift: number, octaves: number): Float32Array =>
    noise.cells({ shape: look.shape, octaves, gain: 0.52 }, columns, rows, (column, row, point, index) => {
      writePoint(column, row, point)
      const curl = (bend[index] ?? 0) * look.curl
      point.x += curl
      point.y += curl * 0.7 + lift
    })
  const localDensity = field(0, 5)
  const sunward = field(isLow ? 0.16 : -0.16, 3)
  const tone: Tone = [0, 0, 0]
  for (let row = 0, index = 0; row < rows; row++) {
    const elevation = (horizon - (top + row * scale)) / unit
    const horizonShare = 1 - smoothstep(0, 0.3, elevation)
    const edge = smoothstep(0.004, 0.1, elevation)
    const shade = mixRgb(palette.cloudShade, palette.haze, horizonShare * 0.55)
    for (let column = 0; column < columns; column++, index++) {
      const value = localDensity[index] ?? 0
      // Gaps between distant clouds are smaller.
      const cover =
        smoothstep(look.from - horizonShare * 0.08, look.full, value) * edge * look.strength * (1 - horizonShare * 0.35)
      if (cover < 0.01) continue
      const fromSun = (left + column * scale - sun.x) / unit
      const fromSunDown = elevation - (horizon - sun.y) / unit
      const sunGlow = Math.exp(-(fromSun * fromSun * 0.9 + fromSunDown * fromSunDown * 1.6))
      const facing = clamp(0.5 + (value - (sunward[index] ?? 0)) * look.relief)
      const thin = 1 - smoothstep(look.full * 0.4 + look.from * 0.6, look.full + 0.25, value)
      const light = isLow ? facing * (0.3 + 0.85 * sunGlow) + thin * 0.34 * (0.35 + sunGlow) : 0.28 + facing * 0.62 + thin * 0.2
      setTone(tone, shade)
      blendTone(tone, palette.cloudLit, clamp(light))
      setTexel(rgba, index, tone, cover)
    }
  }
}
