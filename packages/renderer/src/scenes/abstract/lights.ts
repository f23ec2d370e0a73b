import { lightYuv, scaleRgb, toYuv, type Rgb } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'

/** Paints lights out of focus that drift over slow clouds of color. */
export function paintLights(stage: Stage, ramp: (position: number) => Rgb): Painter[] {
  const { compositor, geometry } = stage
  const { width, height, unit } = geometry
  const random = stage.random('lights')
  const wordRandom = stage.wordRandom('lights')
  const slope = (wordRandom() - 0.5) * 0.5
  const background = compositor.texture(64, 36, (u, v, yuv) => {
    yuv.splice(0, 3, ...toYuv(ramp(0.06 + 0.24 * v + slope * (u - 0.5) * 0.4)))
  })
  const clouds = Array.from({ length: 4 }, (_, order) => {
    const light = lightYuv(scaleRgb(ramp(0.4 + 0.16 * order), 0.5))
    return {
      texture: compositor.texture(48, 48, (u, v, yuv) => {
        const glow = Math.max(0, Math.exp(-((u - 0.5) ** 2 + (v - 0.5) ** 2) * 15) - 0.024)
        for (const channel of [0, 1, 2] as const) yuv[channel] = light[channel] * glow
      }),
      x: wordRandom(),
      y: wordRandom(),
      size: unit * (1.1 + 0.9 * wordRandom()),
      phase: random() * 6.28,
    }
  })
  const spots = Array.from({ length: 44 }, () => ({
    x: random(),
    y: random(),
    nearness: random() ** 1.6,
    tone: 0.45 + 0.55 * random(),
    phase: random() * 6.28,
    pace: 0.2 + 0.5 * random(),
  })).map((spot) => Object.assign(spot, { light: lightYuv(ramp(spot.tone)) }))
  return [
    () => compositor.drawTexture(background, { x: 0, y: 0, width, height }, { mode: 'replace' }),
    ({ seconds }) => {
      for (const { texture, x, y, size, phase } of clouds) {
        const left = width * (0.1 + 0.8 * x) + Math.sin(seconds * 0.21 + phase) * unit * 0.14 - size / 2
        const top = height * (0.1 + 0.8 * y) + Math.cos(seconds * 0.17 + phase) * unit * 0.1 - size / 2
        compositor.drawTexture(
          texture,
          {
            x: left,
            y: top,
            width: size,
            height: size,
            rowFirst: Math.max(0, Math.floor(top)) & ~3,
            rowEnd: Math.ceil(top + size),
          },
          { mode: 'add', gain: 0.9 },
        )
      }
    },
    ({ seconds }) => {
      for (const { x, y, nearness, phase, pace, light } of spots) {
        const drawX = (((x + seconds * 0.006 * (0.4 + nearness)) % 1.1) - 0.05) * width
        const shareY = ((((y - seconds * 0.008 * (0.4 + nearness)) % 1.1) + 1.1) % 1.1) - 0.05
        const strength = (0.16 + 0.3 * (1 - nearness)) * (0.65 + 0.35 * Math.sin(seconds * pace + phase))
        const radius = Math.max(1.5, stage.toPixels(7 + 74 * nearness))
        compositor.addSpot(
          drawX,
          shareY * height,
          radius,
          [light[0] * strength, light[1] * strength, light[2] * strength],
          'disc',
        )
      }
    },
  ]
}
