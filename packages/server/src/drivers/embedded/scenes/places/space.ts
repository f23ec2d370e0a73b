import { hex, mixRgb, scaleRgb, toYuv, type Rgb } from '../../picture/colour.ts'
import type { Layer } from '../../picture/compositor.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { paintMotes } from '../floating.ts'
import { createMistTexture, paintMist } from '../mist.ts'
import type { PlacedSubjects } from '../place-subjects.ts'
import { paintRidge } from '../ridges.ts'
import { paintStars } from '../sky.ts'
import type { Painter, Stage } from '../stage.ts'

const schemes = [
  { dark: '#05060f', cloud: '#3a2a86', hot: '#e0568a', core: '#ffd9b0', planet: ['#f0c890', '#b86a4a', '#6a3448'] },
  { dark: '#03080f', cloud: '#0f5a7a', hot: '#3ac0b0', core: '#e8fff0', planet: ['#a8d8e8', '#4a7ab0', '#28406e'] },
  { dark: '#0a0510', cloud: '#6a2a5a', hot: '#f08048', core: '#fff0c0', planet: ['#d8b8e8', '#8a5ab0', '#43306e'] },
  { dark: '#04070d', cloud: '#22407a', hot: '#7a8af0', core: '#f4f0ff', planet: ['#e8dcc8', '#a88a6a', '#5a4a4a'] },
] as const

/** A nebula, three depths of stars, a lit planet with its moon, and the crest of an airless world below. */
export function paintSpace(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { geometry, horizon, brief } = stage
  const { unit, height } = geometry
  const random = stage.random('space')
  const scheme = schemes[Math.floor(random() * schemes.length)] ?? schemes[0]
  const accent = brief.colours[0]
  const cloud = accent ? mixRgb(hex(scheme.cloud), accent, 0.7) : hex(scheme.cloud)
  const hot = brief.colours[1] ?? (accent ? mixRgb(accent, [255, 255, 255], 0.25) : hex(scheme.hot))
  const planetColours = scheme.planet.map((colour) => (accent ? mixRgb(hex(colour), accent, 0.45) : hex(colour)))
  const ground = mixRgb(hex(scheme.dark), cloud, 0.16)
  return [
    paintNebula(stage, { dark: hex(scheme.dark), cloud, hot, core: hex(scheme.core) }),
    paintStars(stage, height, true),
    paintPlanet(stage, planetColours),
    subjects.sky,
    paintRidge(stage, {
      order: 1,
      shape: 'mountain',
      foot: horizon + unit * 0.1,
      relief: 0.12,
      frequency: 1.1,
      depth: 0.1,
      top: mixRgb(ground, hot, 0.16),
      bottom: mixRgb(ground, cloud, 0.5),
      lit: mixRgb(hot, [255, 240, 220], 0.4),
      shade: scaleRgb(hex(scheme.dark), 0.8),
      slopes: 1,
      rim: 0.9,
      fillTo: height,
      rowEnd: height,
    }),
    paintMist(stage, createMistTexture(stage), {
      top: horizon - unit * 0.02,
      height: unit * 0.14,
      gain: 0.45,
      colour: mixRgb(cloud, hot, 0.3),
      order: 1,
    }),
    paintRidge(stage, {
      order: 2,
      shape: 'mountain',
      foot: height + unit * 0.05,
      relief: 0.13,
      frequency: 0.8,
      depth: 0.26,
      top: scaleRgb(ground, 0.7),
      bottom: scaleRgb(ground, 0.35),
      lit: hot,
      shade: [0, 0, 0],
      slopes: 0.5,
      rim: 0.5,
      fillTo: height + unit * 0.1,
    }),
    subjects.floating,
    subjects.ground,
    paintMotes(stage, { count: 40, light: scaleRgb(hot, 0.2), top: 0, size: 0.7 }),
  ]
}

function paintNebula(stage: Stage, { dark, cloud, hot, core }: { dark: Rgb; cloud: Rgb; hot: Rgb; core: Rgb }): Painter {
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
    const across = (u * width - sun.x) / unit
    const down = (v - 0.36) * (height / unit)
    const fromBand = (down - across * tilt * 0.5) / 0.34
    const band = Math.exp(-fromBand * fromBand * 0.9)
    const body = clamp(smoothstep(-0.3, 0.5, gas[index] ?? 0) * (0.42 + 0.75 * band))
    const heat = clamp(smoothstep(-0.16, 0.52, (gas[index] ?? 0) + 0.2 * band - 0.1)) * (0.18 + 0.82 * band)
    const lane = 1 - 0.62 * clamp(((dust[index] ?? 0) - 0.34) * 2.4) * band
    const glow = Math.exp(-Math.hypot(across, down) * 4.2)
    const colour = mixRgb(mixRgb(mixRgb(dark, cloud, body), hot, heat * 0.85), core, clamp(heat * glow * 1.1 + glow * glow * 0.5))
    const [y, cu, cv] = toYuv(scaleRgb(colour, lane))
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

/** A banded sphere lit from the side, with a thin atmosphere and, often, a ring. */
function paintPlanet(stage: Stage, colours: readonly Rgb[]): Painter {
  const { compositor, noise, geometry, sun } = stage
  const { unit, width, height } = geometry
  const random = stage.random('planet')
  const radius = unit * (0.13 + 0.1 * random())
  const hasRing = random() < 0.6
  const lightAngle = sun.x > width / 2 ? 0.4 : Math.PI - 0.4
  const light = { x: Math.cos(lightAngle) * 0.85, y: -0.34, z: 0.4 }
  const side = Math.ceil((radius * 2.3) / 2) * 2
  const [pale = [255, 255, 255], middle = pale, deep = middle] = colours
  const banding = noise.grid({ shape: 'soft', octaves: 5, gain: 0.55 }, side, side, (u, v, point) => {
    point.x = u * 2.2 + 60
    point.y = v * 9
  })
  const rgba = new Uint8Array(side * side * 4)
  for (let row = 0, index = 0; row < side; row++) {
    for (let column = 0; column < side; column++, index++) {
      const x = (column + 0.5 - side / 2) / radius
      const y = (row + 0.5 - side / 2) / radius
      const squared = x * x + y * y
      const outside = Math.sqrt(squared) - 1
      const air = outside > 0 ? Math.exp(-outside * 34) * clamp((x * light.x + y * light.y) * 1.2 + 0.25) * 0.75 : 0
      const edge = clamp(0.5 - outside * radius)
      if (edge <= 0 && air < 0.004) continue
      const z = Math.sqrt(Math.max(0, 1 - squared))
      const facing = clamp((x * light.x + y * light.y + z * light.z) * 1.15 + 0.03)
      const band = clamp(0.5 + Math.sin(y * 8 + (banding[index] ?? 0) * 3.4) * 0.36 + (banding[index] ?? 0) * 0.6)
      const surface = scaleRgb(
        mixRgb(mixRgb(deep, middle, clamp(band * 2)), pale, clamp(band * 2 - 1)),
        0.03 + 1.12 * facing ** 0.85,
      )
      const haze = (1 - z) ** 3 * facing * 0.7
      const colour = mixRgb(surface, mixRgb(pale, [255, 255, 255], 0.3), haze)
      const cover = edge + (1 - edge) * air
      const shown = edge > 0 ? colour : pale
      rgba[index * 4] = shown[0] * cover
      rgba[index * 4 + 1] = shown[1] * cover
      rgba[index * 4 + 2] = shown[2] * cover
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
  const centre = { x: width - sun.x + (random() - 0.5) * width * 0.1, y: height * (0.3 + 0.08 * random()) }
  const moon = {
    x: centre.x + radius * (random() < 0.5 ? -1.75 : 1.75),
    y: centre.y + radius * (0.5 + 0.4 * random()),
    layer: drawSmallMoon(stage, radius * 0.16, light.x),
  }
  return (moment) => {
    const drawRing = (layer: Layer | undefined): void => {
      if (layer) stage.drawAt(layer, { x: centre.x - layer.width / 2, y: centre.y - layer.height / 2, depth: 0.06 }, moment)
    }
    drawRing(rings?.back)
    stage.drawAt(planet, { x: centre.x - side / 2, y: centre.y - side / 2, depth: 0.06 }, moment)
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
