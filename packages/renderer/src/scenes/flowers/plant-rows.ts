import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { lightAt, appearanceIn } from '../subjects/light.ts'
import type { GroundObjects } from '../terrain/paint-slice.ts'
import type { Plane } from '../terrain/plane.ts'
import { blooms, type Crop } from './blooms.ts'

/** Height in pixels of the drawings from which all plants are scaled. */
const drawnPixels = 150
/** Number of drawings of a plant in each color. */
const variantCount = 3
/** Height in pixels below which a plant is drawn as a speck of its color. */
const speckPixels = 9
/** Height in pixels below which a plant is not drawn. The ground already has its color. */
const plantPixelsMin = 2.2
/**
 * Haze replaces up to `hazeMax` of a color. It begins at `hazeStart`, and reaches 63 % of its
 * maximum after another `hazeDistance`. Distances are from the eye, in ground units (`Plane`).
 */
const hazeMax = 0.8
const hazeStart = 2
const hazeDistance = 14

export interface Field {
  crop: Crop
  /** Direction of the rows, in radians from straight ahead. */
  heading: number
  air: Rgb
  /** Colors of the blooms. */
  colors: readonly Rgb[]
}

/**
 * Plants flowers over the whole ground, in rows or scattered. Distant flowers are drawn as specks.
 */
export function plantRows(stage: Stage, plane: Plane, { crop, heading, air, colors }: Field): GroundObjects {
  const bloom = blooms[crop]
  const drawings = drawVariants(stage, crop, colors)
  const { rays, steps, zs, left, right, focal } = plane
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)]
  const center = stage.geometry.width / 2
  const draw: GroundObjects['draw'] = (context, locate) => {
    const random = stage.random(`rows of ${crop}`)
    let lineZ = Number.POSITIVE_INFINITY
    for (let step = steps - 1; step >= 0; step--) {
      const z = zs[step * rays] ?? 1
      // Lines of plants across the view are drawn from far to near. The spacing of near lines is
      // that of the plants in a row; distant lines are farther apart.
      if (z > lineZ - bloom.plantSpacing * Math.max(1, z * 0.16)) continue
      lineZ = z
      const halfWidth = ((right - left) / 2 / focal) * z
      const spacing = bloom.isInRows ? bloom.rowSpacing / Math.max(0.3, cos) : bloom.rowSpacing * Math.max(1, z * 0.12)
      const shift = bloom.isInRows ? (z * sin) / Math.max(0.3, cos) : random() * spacing
      const firstRow = Math.ceil((-halfWidth - shift) / spacing)
      const lastRow = Math.floor((halfWidth - shift) / spacing)
      for (let row = firstRow; row <= lastRow; row++) {
        const x = row * spacing + shift + (random() - 0.5) * spacing * (bloom.isInRows ? 0.3 : 1.6)
        const ray = Math.round(((center + (x / z) * focal - left) / (right - left)) * (rays - 1))
        const spot = ray >= 0 && ray < rays ? locate(ray, step) : undefined
        const size = 0.78 + 0.34 * random()
        const choice = bloom.isInRows ? Math.floor(row / 3) : Math.floor(random() * 97)
        const height = (spot?.scale ?? 0) * bloom.height * size
        if (!spot || height < plantPixelsMin) continue
        const tone = colors[((choice % colors.length) + colors.length) % colors.length] ?? air
        const haze = hazeMax * (1 - Math.exp(-Math.max(0, z - hazeStart) / hazeDistance))
        if (height < speckPixels) {
          context.fillStyle = css(mixRgb(tone, air, haze))
          context.fillRect(spot.x - height * 0.2, spot.y - height, height * 0.42, height * 0.36)
          continue
        }
        const variants = drawings[((choice % drawings.length) + drawings.length) % drawings.length] ?? []
        const drawing = variants[Math.floor(random() * variantCount)]
        if (!drawing) continue
        const width = (drawing.width / drawing.height) * height * 1.14
        context.drawImage(drawing, spot.x - width / 2, spot.y - height * 1.06, width, height * 1.14)
      }
    }
  }
  return { height: bloom.height * 1.2, draw }
}

/** Draws a few variants of the plant in each color, in the light of the time of day. */
function drawVariants(stage: Stage, crop: Crop, colors: readonly Rgb[]): Canvas[][] {
  const { geometry } = stage
  const random = stage.random(`plants of ${crop}`)
  const light = lightAt(stage, { x: geometry.width / 2, y: geometry.height * 0.8 }, 0)
  const applyLight = (color: Rgb): Rgb => appearanceIn(light, color, 0.4)
  return colors.map((color) =>
    Array.from({ length: variantCount }, () => {
      const canvas = createCanvas(Math.round(drawnPixels * 0.66), Math.round(drawnPixels * 1.14))
      const context = canvas.getContext('2d')
      context.translate(canvas.width / 2, drawnPixels * 1.06)
      context.scale(drawnPixels, drawnPixels)
      blooms[crop].draw(context, color, applyLight, random)
      return canvas
    }),
  )
}
