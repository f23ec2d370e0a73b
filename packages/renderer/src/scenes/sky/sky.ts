import { colorRamp, css, lightYuv, mixRgb, scaleRgb, toYuv, type Yuv } from '../../picture/color.ts'
import type { Texture } from '../../picture/compositor.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { paintNeonSun } from '../styles/neon-sun.ts'

/**
 * Paints the colors of the sky with the sun's glow, the sun and the Milky Way, down to `rowEnd`.
 * The colors are a small 16-bit texture, which shows no bands when it is enlarged.
 */
export function paintSky(stage: Stage, rowEnd = stage.horizon + 2): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, height } = geometry
  const texture = createSkyTexture(stage)
  const disc = paintSun(stage)
  const milkyWay = paintMilkyWay(stage)
  return (moment) => {
    const zoom = stage.zoom(0.01, moment)
    const x = (-(zoom - 1) * width) / 2
    const y = -(zoom - 1) * horizon
    compositor.drawTexture(texture, { x, y, width: width * zoom, height: height * zoom, rowEnd }, { mode: 'replace' })
    milkyWay?.(moment)
    disc?.(moment)
  }
}

const skyColumns = 240
const skyRows = 135

function createSkyTexture({ compositor, geometry, palette, sun, horizon }: Stage): Texture {
  const { kernels, arena } = compositor
  const { width, height, unit } = geometry
  const ramp = colorRamp(palette.sky)
  const texture = compositor.emptyTexture(skyColumns, skyRows)
  const [planeY = 0, planeU = 0, planeV = 0] = texture.planes
  const settings = [width, sun.x, unit, ...palette.glow, ...palette.side]
  const space = arena.remaining()
  const settingsAddress = space.allocate(settings.length * 8 + 4)
  new Float64Array(arena.memory.buffer).set(settings, settingsAddress >> 3)
  compositor.words[(settingsAddress >> 2) + settings.length * 2] = skyColumns
  for (let row = 0; row < skyRows; row++) {
    const v = row / (skyRows - 1)
    const heightShare = clamp((v * height) / horizon)
    const [red, green, blue] = ramp(heightShare * 0.5 + smoothstep(0, 1, heightShare) * 0.5)
    const sideShareMax = smoothstep(0.35, 1, heightShare)
    const [y, u, chromaV] = [planeY, planeU, planeV].map((plane) => plane + row * skyColumns * 2)
    const dy = (v * height - sun.y) / unit
    kernels.paintSkyRow(settingsAddress, y ?? 0, u ?? 0, chromaV ?? 0, dy, red, green, blue, sideShareMax)
  }
  return texture
}

/**
 * Paints the sun's disc, unless it is night, the sky is not clear or the sun is above the frame.
 */
function paintSun(stage: Stage): Painter | undefined {
  const { compositor, palette, brief, sun, composition } = stage
  const isHidden = brief.time === 'night' || brief.weather !== 'clear' || composition.clouds === 'storm'
  const radius = stage.toPixels(brief.time === 'day' ? 30 : 24 + 22 * stage.wordRandom('sun')())
  if (isHidden || sun.y < -radius * 3) return undefined
  const light = lightYuv(scaleRgb(mixRgb(palette.glow, palette.rim, 0.6), brief.time === 'day' ? 0.8 : 0.5))
  return (moment) => {
    const { x, y } = stage.project(sun.x, sun.y, 0.01, moment)
    compositor.addSpot(x, y, radius, light, 'disc')
    compositor.addSpot(x, y, radius * 3.4, scaleYuv(light, 0.32))
  }
}

/**
 * Paints a band of distant stars and dust, in some of the night scenes in which all stars are
 * visible and the prompt names no phenomenon.
 */
function paintMilkyWay(stage: Stage): Painter | undefined {
  const { compositor, geometry, palette, noise, horizon, brief } = stage
  const isSeen = palette.stars === 1 && !brief.omittedParts.has('stars') && brief.sights.size === 0
  const wordRandom = stage.wordRandom('milky way')
  if (!isSeen || wordRandom() < 0.35) return undefined
  const { width, unit } = geometry
  const random = stage.random('milky way')
  const lean = (wordRandom() < 0.5 ? -1 : 1) * (0.45 + 0.5 * wordRandom())
  const middle = 0.3 + 0.4 * wordRandom()
  const [columns, rows] = [256, 144]
  const shift = random() * 50
  const pointAt = (u: number, v: number): { bandOffset: number; sideOffset: number } => {
    const x = ((u - middle) * width) / unit
    const y = ((v - 0.5) * horizon) / unit
    return { bandOffset: x * lean + y, sideOffset: (x - y * lean) / Math.hypot(1, lean) }
  }
  const clouds = noise.grid({ shape: 'soft', octaves: 5, gain: 0.58 }, columns, rows, (u, v, point) => {
    const { bandOffset, sideOffset } = pointAt(u, v)
    point.x = bandOffset * 2.4 + shift
    point.y = sideOffset * 4
  })
  const dust = noise.grid({ shape: 'ridged', octaves: 4, gain: 0.5 }, columns, rows, (u, v, point) => {
    const { bandOffset, sideOffset } = pointAt(u, v)
    point.x = bandOffset * 1.5 + shift
    point.y = sideOffset * 3.4 + 20
  })
  const light = lightYuv(mixRgb(palette.rim, palette.haze, 0.5))
  let index = 0
  const texture = compositor.texture(columns, rows, (u, v, yuv) => {
    const { sideOffset } = pointAt(u, v)
    const cloud = clouds[index] ?? 0
    const lane = clamp(((dust[index] ?? 0) - 0.5) * 2.6) * Math.exp(-sideOffset * sideOffset * 60)
    index++
    const band = Math.exp(-sideOffset * sideOffset * 22) * 0.7 + Math.exp(-sideOffset * sideOffset * 110) * 0.6
    const glow = band * clamp(0.42 + cloud * 1.3) * (1 - 0.75 * lane) * (1 - smoothstep(0.45, 0.98, v)) * 0.34
    yuv[0] = light[0] * glow
    yuv[1] = light[1] * glow
    yuv[2] = light[2] * glow
  })
  return (moment) => {
    const zoom = stage.zoom(0.01, moment)
    const x = (-(zoom - 1) * width) / 2
    const placement = { x, y: -(zoom - 1) * horizon, width: width * zoom, height: horizon * zoom, rowEnd: horizon }
    compositor.drawTexture(texture, placement, { mode: 'add', gain: 1 })
  }
}

/** Paints a glow around the sun, which also brightens silhouettes in front of it. */
export function paintBloom(stage: Stage, rowEnd = stage.horizon): Painter {
  const { compositor, geometry, palette, sun } = stage
  const light = toYuv(palette.glow)
  const size = geometry.unit * 1.9
  const texture = compositor.texture(96, 96, (u, v, yuv) => {
    const glow = Math.max(0, Math.exp(-Math.hypot(u - 0.5, v - 0.5) * 9.5) - 0.012) * 0.75
    yuv[0] = (light[0] - 16) * glow
    yuv[1] = (light[1] - 128) * glow
    yuv[2] = (light[2] - 128) * glow
  })
  return (moment) => {
    const center = stage.project(sun.x, sun.y, 0.01, moment)
    const y = center.y - size / 2
    compositor.drawTexture(
      texture,
      {
        x: center.x - size / 2,
        y,
        width: size,
        height: size,
        rowFirst: Math.floor(y) & ~3,
        rowEnd: Math.min(rowEnd, Math.ceil(y + size)),
      },
      { mode: 'add', gain: 1 },
    )
  }
}

/**
 * Paints stars, which are fewer and fainter toward the horizon. With `isSpace`, there are more, and
 * they are even.
 */
export function paintStars(stage: Stage, rowEnd = stage.horizon, isSpace = false): Painter | undefined {
  const { compositor, geometry } = stage
  const strength = isSpace ? 1 : stage.palette.stars
  if (strength === 0 || stage.brief.omittedParts.has('stars')) return undefined
  const random = stage.random('stars')
  const stars = Array.from({ length: isSpace ? 620 : 320 }, () => ({
    x: (random() * 1.1 - 0.05) * geometry.width,
    y: (isSpace ? random() : random() ** 1.4) * rowEnd,
    magnitude: random() ** 3.2,
    phase: random() * 6.28,
    pace: 1 + random() * 2.5,
  }))
  return (moment) => {
    for (const star of stars) {
      const visibleShare = isSpace ? 1 : strength * (1 - smoothstep(0.2, strength === 1 ? 1.1 : 0.78, star.y / rowEnd))
      const twinkle = 0.62 + 0.38 * Math.sin(star.phase + moment.seconds * star.pace)
      const light = (34 + 170 * star.magnitude) * twinkle * visibleShare
      if (light < 2) continue
      const point = stage.project(star.x, star.y, 0.01, moment)
      compositor.addSpot(point.x, point.y, Math.max(1.05, stage.toPixels(1.25 + star.magnitude * (isSpace ? 3.4 : 2.3))), [
        light,
        0,
        0,
      ])
    }
  }
}

/**
 * Paints a moon with soft maria and a halo at the stage's `sun`. The prompt's words determine its
 * phase. In the neon style and clear weather, a neon sun is painted instead.
 */
export function paintMoon(stage: Stage): Painter | undefined {
  const { brief, geometry, compositor, sun, palette, composition } = stage
  if (brief.style === 'neon' && brief.weather === 'clear') return paintNeonSun(stage)
  if (brief.time !== 'night' || brief.weather === 'rain' || composition.clouds === 'storm') return undefined
  const random = stage.random('moon')
  const wordRandom = stage.wordRandom('moon')
  const radius = geometry.unit * (0.03 + 0.022 * wordRandom())
  // 1 is a full moon, and -1 would be a new moon.
  const phase = wordRandom() < 0.5 ? 1 : wordRandom() < 0.5 ? -0.45 - 0.35 * wordRandom() : 0.7
  const tilt = (wordRandom() - 0.5) * 1.2
  const size = radius * 2.5
  const layer = compositor.layer(size, size, (context, width, height) => {
    context.translate(width / 2, height / 2)
    context.rotate(tilt)
    context.beginPath()
    context.arc(0, 0, radius, -Math.PI / 2, Math.PI / 2)
    context.ellipse(0, 0, Math.abs(phase) * radius, radius, 0, Math.PI / 2, -Math.PI / 2, phase < 0)
    context.fillStyle = css(mixRgb([236, 242, 244], palette.rim, 0.25))
    context.fill()
    context.globalCompositeOperation = 'source-atop'
    for (let index = 0; index < 16; index++) {
      const angle = random() * 6.28
      const distance = Math.sqrt(random()) * radius * 0.9
      const spot = radius * (0.08 + random() * 0.3)
      const x = Math.cos(angle) * distance
      const y = Math.sin(angle) * distance
      const mare = context.createRadialGradient(x, y, 0, x, y, spot)
      mare.addColorStop(0, 'rgba(120,142,164,0.42)')
      mare.addColorStop(1, 'rgba(120,142,164,0)')
      context.fillStyle = mare
      context.fillRect(x - spot, y - spot, spot * 2, spot * 2)
    }
  })
  const halo = scaleYuv(lightYuv(palette.rim), 0.11 + 0.05 * phase)
  return (moment) => {
    const { x, y } = stage.project(sun.x, sun.y, 0.01, moment)
    compositor.addSpot(x, y, radius * 6, halo)
    stage.drawAt(layer, { x: sun.x - layer.width / 2, y: sun.y - layer.height / 2, depth: 0.01 }, moment)
  }
}

function scaleYuv([y, u, v]: Yuv, factor: number): Yuv {
  return [y * factor, u * factor, v * factor]
}
