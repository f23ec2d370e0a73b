import { mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Layer } from '../../picture/compositor.ts'
import { clamp } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'

/**
 * Paints a banded planet lit from the side, with a thin atmosphere, often a ring, and a small moon.
 * `colors` are the pale, middle and deep tones of the bands.
 */
export function paintPlanet(
  stage: Stage,
  colors: readonly Rgb[],
  { size = 1, isRinged }: { size?: number; isRinged?: boolean } = {},
): Painter {
  const { compositor, noise, geometry, sun } = stage
  const { unit, width, height } = geometry
  const random = stage.random('planet')
  const radius = unit * (0.13 + 0.1 * stage.wordRandom('planet size')()) * size
  const hasRing = isRinged ?? stage.wordRandom('ring')() < 0.6
  const lightAngle = sun.x > width / 2 ? 0.4 : Math.PI - 0.4
  const light = { x: Math.cos(lightAngle) * 0.85, y: -0.34, z: 0.4 }
  const side = Math.ceil((radius * 2.3) / 2) * 2
  const [pale = [255, 255, 255], middle = pale, deep = middle] = colors
  const banding = noise.grid({ shape: 'soft', octaves: 5, gain: 0.55 }, side, side, (u, v, point) => {
    point.x = u * 2.2 + 60
    point.y = v * 9
  })
  const rgba = new Uint8Array(side * side * 4)
  for (let row = 0, index = 0; row < side; row++) {
    for (let column = 0; column < side; column++, index++) {
      const x = (column + 0.5 - side / 2) / radius
      const y = (row + 0.5 - side / 2) / radius
      const squaredDistance = x * x + y * y
      const outside = Math.sqrt(squaredDistance) - 1
      const air = outside > 0 ? Math.exp(-outside * 34) * clamp((x * light.x + y * light.y) * 1.2 + 0.25) * 0.75 : 0
      const edge = clamp(0.5 - outside * radius)
      if (edge <= 0 && air < 0.004) continue
      const z = Math.sqrt(Math.max(0, 1 - squaredDistance))
      const facing = clamp((x * light.x + y * light.y + z * light.z) * 1.15 + 0.03)
      const band = clamp(0.5 + Math.sin(y * 8 + (banding[index] ?? 0) * 3.4) * 0.36 + (banding[index] ?? 0) * 0.6)
      const surface = scaleRgb(
        mixRgb(mixRgb(deep, middle, clamp(band * 2)), pale, clamp(band * 2 - 1)),
        0.03 + 1.12 * facing ** 0.85,
      )
      const haze = (1 - z) ** 3 * facing * 0.7
      const color = mixRgb(surface, mixRgb(pale, [255, 255, 255], 0.3), haze)
      const cover = edge + (1 - edge) * air
      const shownColor = edge > 0 ? color : pale
      rgba[index * 4] = shownColor[0] * cover
      rgba[index * 4 + 1] = shownColor[1] * cover
      rgba[index * 4 + 2] = shownColor[2] * cover
      rgba[index * 4 + 3] = cover * 255
    }
  }
  const planet = compositor.layerFromPixels(side, side, rgba)
  const ringHalf = (isFront: boolean): Layer =>
    compositor.layer(radius * 4.6, radius * 1.5, (context, w, h) => {
      context.translate(w / 2, h / 2)
      context.rotate(-0.1)
      context.scale(1, 0.2)
      for (let ring = 0; ring < 40; ring++) {
        const share = ring / 40
        const gap = share > 0.52 && share < 0.6 ? 0.1 : 1
        context.strokeStyle = `rgba(${mixRgb(pale, middle, share).map(Math.round).join(',')},${(0.46 * gap * (0.45 + 0.55 * Math.abs(Math.sin(ring * 2.7))) * (1 - share * 0.5)).toFixed(3)})`
        context.lineWidth = (radius * 0.9) / 38
        context.beginPath()
        context.arc(0, 0, radius * (1.32 + 0.85 * share), isFront ? 0 : Math.PI, isFront ? Math.PI : Math.PI * 2)
        context.stroke()
      }
    })
  const rings = hasRing ? { back: ringHalf(false), front: ringHalf(true) } : undefined
  const center = { x: width - sun.x + (random() - 0.5) * width * 0.1, y: height * (0.3 + 0.08 * random()) }
  const moon = {
    x: center.x + radius * (random() < 0.5 ? -1.75 : 1.75),
    y: center.y + radius * (0.5 + 0.4 * random()),
    layer: drawSmallMoon(stage, radius * 0.16, light.x),
  }
  return (moment) => {
    const drawRing = (layer: Layer | undefined): void => {
      if (layer) stage.drawAt(layer, { x: center.x - layer.width / 2, y: center.y - layer.height / 2, depth: 0.06 }, moment)
    }
    drawRing(rings?.back)
    stage.drawAt(planet, { x: center.x - side / 2, y: center.y - side / 2, depth: 0.06 }, moment)
    drawRing(rings?.front)
    const orbit = (moment.progress - 0.5) * radius * 0.16
    stage.drawAt(moon.layer, { x: moon.x + orbit - moon.layer.width / 2, y: moon.y - moon.layer.height / 2, depth: 0.09 }, moment)
  }
}

function drawSmallMoon(stage: Stage, radius: number, lightX: number): Layer {
  return stage.compositor.layer(radius * 2.4, radius * 2.4, (context, w, h) => {
    const fill = context.createRadialGradient(
      w / 2 + radius * lightX * 0.7,
      h / 2 - radius * 0.3,
      0,
      w / 2 + radius * lightX * 0.5,
      h / 2,
      radius * 1.7,
    )
    fill.addColorStop(0, '#e8e2da')
    fill.addColorStop(0.5, '#8a8288')
    fill.addColorStop(1, '#0c0a14')
    context.fillStyle = fill
    context.beginPath()
    context.arc(w / 2, h / 2, radius, 0, Math.PI * 2)
    context.fill()
  })
}
