import { mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { lightAt, appearanceIn } from '../subjects/light.ts'
import { blooms, type Crop } from './blooms.ts'

/** Heights of foreground plants in the image, in units of the frame. */
const plantHeights: Record<Crop, number> = { sunflowers: 0.46, tulips: 0.24, poppies: 0.17, daisies: 0.13, lavender: 0.2 }

/**
 * Paints a few plants in front of everything, at both sides and low in the middle, so that the
 * field reaches the viewer's feet.
 */
export function paintNearFlowers(stage: Stage, crop: Crop, colors: readonly Rgb[]): Painter {
  const { compositor, geometry } = stage
  const { unit, width, height } = geometry
  const random = stage.random(`near ${crop}`)
  const bloom = blooms[crop]
  const plantHeight = unit * plantHeights[crop]
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const layerHeight = plantHeight * 1.16
  const { plainColor, shadedColor, ...light } = lightAt(stage, { x: width / 2, y: height }, 0)
  // Each plant stands in the shade of the plants in front of it.
  const lowLight = { ...light, shadedColor, plainColor: mixRgb(plainColor, shadedColor, 0.22) }
  const applyLight = (color: Rgb): Rgb => appearanceIn(lowLight, color)
  const count = Math.round((layerWidth / plantHeight) * (crop === 'sunflowers' ? 3.2 : 5.5))
  const layer = compositor.layer(layerWidth, layerHeight, (context, w, h) => {
    const plants = Array.from({ length: count }, (_, index) => {
      const x = (index + random()) / count
      // Plants are lower near the middle, where the subject is.
      const sideDistance = Math.min(1, Math.abs(x - 0.5) * 2.3)
      return { x, up: 0.12 + 0.78 * sideDistance ** 1.6 + (random() - 0.5) * 0.16, nearness: random() }
    }).toSorted((a, b) => a.nearness - b.nearness)
    for (const { x, up, nearness } of plants) {
      const size = plantHeight * (0.74 + 0.3 * nearness)
      const tone = colors[Math.floor(random() * colors.length)] ?? scaleRgb(bloom.groundColor, 1.2)
      context.save()
      context.translate(x * w, h + size * (1 - up))
      context.scale(size, size)
      bloom.draw(context, tone, applyLight, random)
      context.restore()
    }
  })
  return (moment) => {
    const zoom = stage.zoom(0.34, moment)
    const x = width / 2 - (layer.width / 2) * zoom - stage.pan(0.34, moment)
    compositor.drawLayer(layer, { x, y: height - layer.height * zoom + stage.toPixels(6), scale: zoom, rowEnd: height })
  }
}
