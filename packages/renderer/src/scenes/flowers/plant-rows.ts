import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { css, mixRgb, type Rgb } from '../../picture/colour.ts'
import type { Stage } from '../stage.ts'
import { lightAt, seenIn } from '../subjects/light.ts'
import type { Furnish } from '../terrain/paint-slice.ts'
import type { Plane } from '../terrain/plane.ts'
import { blooms, type Crop } from './blooms.ts'

/** Height in pixels of the drawings that all plants are made from. */
const drawnPixels = 150
const variants = 3
/**
 * Height in pixels below which a plant is a speck of its color (`speckPixels`), and height below
 * which it is not drawn because the ground has its color.
 */
const speckPixels = 9
const leastPixels = 2.2
/** Distance at which the air has taken two thirds of the color, in lengths of the ground. */
const reach = 14

export interface Field {
  crop: Crop
  /** Direction of the rows, in radians from straight ahead. */
  heading: number
  air: Rgb
  /** Colors of the blooms. */
  colours: readonly Rgb[]
}

/**
 * Plants flowers over the whole ground, in rows or scattered. Far ones are drawn as specks, near
 * ones as plants.
 */
export function plantRows(stage: Stage, plane: Plane, { crop, heading, air, colours }: Field): Furnish {
  const bloom = blooms[crop]
  const pictures = drawPictures(stage, crop, colours)
  const { rays, steps, zs, left, right, focal } = plane
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)]
  const centre = stage.geometry.width / 2
  const draw: Furnish['draw'] = (context, at) => {
    const random = stage.random(`rows of ${crop}`)
    let line = Number.POSITIVE_INFINITY
    for (let step = steps - 1; step >= 0; step--) {
      const z = zs[step * rays] ?? 1
      // One line of plants for each step of the crop on the ground, far lines first. In the
      // distance some lines are left out.
      if (z > line - bloom.step * Math.max(1, z * 0.16)) continue
      line = z
      const half = ((right - left) / 2 / focal) * z
      const spacing = bloom.isSown ? bloom.rows / Math.max(0.3, cos) : bloom.rows * Math.max(1, z * 0.12)
      const shift = bloom.isSown ? (z * sin) / Math.max(0.3, cos) : random() * spacing
      const first = Math.ceil((-half - shift) / spacing)
      const last = Math.floor((half - shift) / spacing)
      for (let row = first; row <= last; row++) {
        const x = row * spacing + shift + (random() - 0.5) * spacing * (bloom.isSown ? 0.3 : 1.6)
        const ray = Math.round(((centre + (x / z) * focal - left) / (right - left)) * (rays - 1))
        const spot = ray >= 0 && ray < rays ? at(ray, step) : undefined
        const size = 0.78 + 0.34 * random()
        const choice = bloom.isSown ? Math.floor(row / 3) : Math.floor(random() * 97)
        const height = (spot?.scale ?? 0) * bloom.tall * size
        if (!spot || height < leastPixels) continue
        const tone = colours[((choice % colours.length) + colours.length) % colours.length] ?? air
        const haze = 0.8 * (1 - Math.exp(-Math.max(0, z - 2) / reach))
        if (height < speckPixels) {
          context.fillStyle = css(mixRgb(tone, air, haze))
          context.fillRect(spot.x - height * 0.2, spot.y - height, height * 0.42, height * 0.36)
          continue
        }
        const set = pictures[((choice % pictures.length) + pictures.length) % pictures.length] ?? []
        const picture = set[Math.floor(random() * variants)]
        if (!picture) continue
        const wide = (picture.width / picture.height) * height * 1.14
        context.drawImage(picture, spot.x - wide / 2, spot.y - height * 1.06, wide, height * 1.14)
      }
    }
  }
  return { tall: bloom.tall * 1.2, draw }
}

/** Draws a few variants of the plant in each color, in the light of the hour. */
function drawPictures(stage: Stage, crop: Crop, colours: readonly Rgb[]): Canvas[][] {
  const { geometry } = stage
  const random = stage.random(`plants of ${crop}`)
  const light = lightAt(stage, { x: geometry.width / 2, y: geometry.height * 0.8 }, 0)
  const inLight = (colour: Rgb): Rgb => seenIn(light, colour, 0.4)
  return colours.map((colour) =>
    Array.from({ length: variants }, () => {
      const canvas = createCanvas(Math.round(drawnPixels * 0.66), Math.round(drawnPixels * 1.14))
      const context = canvas.getContext('2d')
      context.translate(canvas.width / 2, drawnPixels * 1.06)
      context.scale(drawnPixels, drawnPixels)
      blooms[crop].draw(context, colour, inLight, random)
      return canvas
    }),
  )
}
