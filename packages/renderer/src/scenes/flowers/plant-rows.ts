import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../picture/color.ts'
import type { Stage } from '../stage.ts'
import { lightAt, appearanceIn } from '../subjects/light.ts'
import type { GroundObjects } from '../terrain/paint-slice.ts'
import type { Plane } from '../terrain/plane.ts'
import { blooms, type Crop } from './blooms.ts'

/** Height in pixels of the drawings from which all plants are scaled. */
const drawnPixels = 150
const variants = 3
/**
 * Height in pixels below which a plant is drawn as a speck of its color (`speckPixels`), and height
 * below which it is not drawn, because the ground already has its color.
 */
const speckPixels = 9
const plantPixelsMin = 2.2
/** Distance at which the air has taken two thirds of the color, in lengths of the ground. */
const reach = 14

export interface Field {
  crop: Crop
  /** Direction of the rows, in radians from straight ahead. */
  heading: number
  air: Rgb
  /** Colors of the blooms. */
  colors: readonly Rgb[]
}

/**
 * Plants flowers over the whole ground, in rows or scattered. Far ones are drawn as specks, near
 * ones as plants.
 */
export function plantRows(stage: Stage, plane: Plane, { crop, heading, air, colors }: Field): GroundObjects {
  const bloom = blooms[crop]
  const pictures = drawPictures(stage, crop, colors)
  const { rays, steps, zs, left, right, focal } = plane
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)]
  const center = stage.geometry.width / 2
  const draw: GroundObjects['draw'] = (context, locate) => {
    const random = stage.random(`rows of ${crop}`)
    let line = Number.POSITIVE_INFINITY
    for (let step = steps - 1; step >= 0; step--) {
      const z = zs[step * rays] ?? 1
      // One line of plants for each step of the crop on the ground, far lines first. Some lines in
      // the distance are left out.
      if (z > line - bloom.step * Math.max(1, z * 0.16)) continue
      line = z
      const halfWidth = ((right - left) / 2 / focal) * z
      const spacing = bloom.isSown ? bloom.rows / Math.max(0.3, cos) : bloom.rows * Math.max(1, z * 0.12)
      const shift = bloom.isSown ? (z * sin) / Math.max(0.3, cos) : random() * spacing
      const first = Math.ceil((-halfWidth - shift) / spacing)
      const last = Math.floor((halfWidth - shift) / spacing)
      for (let row = first; row <= last; row++) {
        const x = row * spacing + shift + (random() - 0.5) * spacing * (bloom.isSown ? 0.3 : 1.6)
        const ray = Math.round(((center + (x / z) * focal - left) / (right - left)) * (rays - 1))
        const spot = ray >= 0 && ray < rays ? locate(ray, step) : undefined
        const size = 0.78 + 0.34 * random()
        const choice = bloom.isSown ? Math.floor(row / 3) : Math.floor(random() * 97)
        const height = (spot?.scale ?? 0) * bloom.height * size
        if (!spot || height < plantPixelsMin) continue
        const tone = colors[((choice % colors.length) + colors.length) % colors.length] ?? air
        const haze = 0.8 * (1 - Math.exp(-Math.max(0, z - 2) / reach))
        if (height < speckPixels) {
          context.fillStyle = css(mixRgb(tone, air, haze))
          context.fillRect(spot.x - height * 0.2, spot.y - height, height * 0.42, height * 0.36)
          continue
        }
        const set = pictures[((choice % pictures.length) + pictures.length) % pictures.length] ?? []
        const picture = set[Math.floor(random() * variants)]
        if (!picture) continue
        const width = (picture.width / picture.height) * height * 1.14
        context.drawImage(picture, spot.x - width / 2, spot.y - height * 1.06, width, height * 1.14)
      }
    }
  }
  return { height: bloom.height * 1.2, draw }
}

/** Draws a few variants of the plant in each color, in the light of the hour. */
function drawPictures(stage: Stage, crop: Crop, colors: readonly Rgb[]): Canvas[][] {
  const { geometry } = stage
  const random = stage.random(`plants of ${crop}`)
  const light = lightAt(stage, { x: geometry.width / 2, y: geometry.height * 0.8 }, 0)
  const applyLight = (color: Rgb): Rgb => appearanceIn(light, color, 0.4)
  return colors.map((color) =>
    Array.from({ length: variants }, () => {
      const canvas = createCanvas(Math.round(drawnPixels * 0.66), Math.round(drawnPixels * 1.14))
      const context = canvas.getContext('2d')
      context.translate(canvas.width / 2, drawnPixels * 1.06)
      context.scale(drawnPixels, drawnPixels)
      blooms[crop].draw(context, color, applyLight, random)
      return canvas
    }),
  )
}
