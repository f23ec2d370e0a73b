import { colourRamp, mixRgb, toYuv, type Rgb } from '../picture/colour.ts'
import { clamp, smoothstep } from '../picture/curves.ts'
import type { Painter, Stage } from './stage.ts'

/** Ramp and sun glow as a tiny 16-bit texture: scaled up it shows no bands. Covers the frame down to `rowEnd`. */
export function paintSky(stage: Stage, rowEnd = stage.horizon + 2): Painter {
  const { compositor, geometry, palette, sun, horizon } = stage
  const { width, height, unit } = geometry
  const ramp = colourRamp(palette.sky)
  const texture = compositor.texture(320, 180, (u, v, yuv) => {
    const down = clamp((v * height) / horizon)
    const dx = (u * width - sun.x) / unit
    const dy = (v * height - sun.y) / unit
    const distance = Math.sqrt(dx * dx + dy * dy * 1.56)
    const glow = Math.exp(-distance * 3.1) * 0.55 + Math.exp(-distance * distance * 60) * 0.5
    const aside = clamp(Math.abs(dx) * 0.55) * smoothstep(0.35, 1, down) * 0.5
    const lit = addLight(mixRgb(ramp(down * 0.5 + smoothstep(0, 1, down) * 0.5), palette.side, aside), palette.glow, glow)
    const [y, chromaU, chromaV] = toYuv([toneMapped(lit[0]), toneMapped(lit[1]), toneMapped(lit[2])])
    yuv[0] = y
    yuv[1] = chromaU
    yuv[2] = chromaV
  })
  return (moment) => {
    const zoom = stage.zoom(0.01, moment)
    const x = (-(zoom - 1) * width) / 2
    const y = -(zoom - 1) * horizon
    compositor.drawTexture(texture, { x, y, width: width * zoom, height: height * zoom, rowEnd }, { mode: 'replace' })
  }
}

/** Additive bloom at the sun: silhouettes before it melt into the light. */
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
    const centre = stage.project(sun.x, sun.y, 0.01, moment)
    const y = centre.y - size / 2
    compositor.drawTexture(
      texture,
      {
        x: centre.x - size / 2,
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

/** Fewer and fainter towards the horizon; in `space` nothing dims them. */
export function paintStars(stage: Stage, rowEnd = stage.horizon, space = false): Painter | undefined {
  const { compositor, geometry } = stage
  const strength = space ? 1 : stage.palette.stars
  if (strength === 0 || stage.brief.without.has('stars')) return undefined
  const random = stage.random('stars')
  const stars = Array.from({ length: space ? 620 : 320 }, () => ({
    x: (random() * 1.1 - 0.05) * geometry.width,
    y: (space ? random() : random() ** 1.4) * rowEnd,
    magnitude: random() ** 3.2,
    phase: random() * 6.28,
    pace: 1 + random() * 2.5,
  }))
  return (moment) => {
    for (const star of stars) {
      const visible = space ? 1 : strength * (1 - smoothstep(0.2, strength === 1 ? 1.1 : 0.78, star.y / rowEnd))
      const twinkle = 0.62 + 0.38 * Math.sin(star.phase + moment.seconds * star.pace)
      const light = (34 + 170 * star.magnitude) * twinkle * visible
      if (light < 2) continue
      const point = stage.project(star.x, star.y, 0.01, moment)
      compositor.addSpot(point.x, point.y, Math.max(1.05, stage.pixels(1.25 + star.magnitude * (space ? 3.4 : 2.3))), [
        light,
        0,
        0,
      ])
    }
  }
}

/** A moon with soft maria, lit from one side, where the sun would be. */
export function paintMoon(stage: Stage): Painter | undefined {
  if (stage.brief.time !== 'night' || stage.brief.weather === 'rain') return undefined
  const radius = stage.geometry.unit * 0.042
  const random = stage.random('moon')
  const size = radius * 2.5
  const layer = stage.compositor.layer(size, size, (context, width, height) => {
    const centre = { x: width / 2, y: height / 2 }
    context.beginPath()
    context.arc(centre.x, centre.y, radius, 0, Math.PI * 2)
    context.fillStyle = '#e9f0f2'
    context.fill()
    context.clip()
    for (let index = 0; index < 16; index++) {
      const angle = random() * 6.28
      const distance = Math.sqrt(random()) * radius * 0.9
      const spot = radius * (0.08 + random() * 0.3)
      const x = centre.x + Math.cos(angle) * distance
      const y = centre.y + Math.sin(angle) * distance
      const mare = context.createRadialGradient(x, y, 0, x, y, spot)
      mare.addColorStop(0, 'rgba(120,142,164,0.42)')
      mare.addColorStop(1, 'rgba(120,142,164,0)')
      context.fillStyle = mare
      context.fillRect(x - spot, y - spot, spot * 2, spot * 2)
    }
  })
  return (moment) =>
    stage.drawAt(layer, { x: stage.sun.x - layer.width / 2, y: stage.sun.y - layer.height / 2, depth: 0.01 }, moment)
}

function addLight(colour: Rgb, light: Rgb, share: number): Rgb {
  return [colour[0] + light[0] * share, colour[1] + light[1] * share, colour[2] + light[2] * share]
}

/** Rolls off instead of clipping. */
function toneMapped(value: number): number {
  return (255 * (1 - Math.exp((-Math.max(0, value) / 255) * 1.25))) / (1 - Math.exp(-1.6))
}
