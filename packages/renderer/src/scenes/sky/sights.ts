import { hex, lightYuv, mixRgb, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { stillSeconds, type Painter, type Stage } from '../stage.ts'

/** Paints the phenomena in the sky that the prompt names. */
export function paintSights(stage: Stage): (Painter | undefined)[] {
  const { sights, time } = stage.brief
  return [
    ...(sights.has('aurora') && time === 'night' ? paintAurora(stage) : []),
    sights.has('rainbow') && time !== 'night' ? paintRainbow(stage) : undefined,
    sights.has('lightning') ? paintLightning(stage) : undefined,
  ]
}

const auroraColors = ['#3cf08c', '#38d8b0', '#4a8ae0', '#8a4ad0'].map(hex)

/**
 * Paints two curtains of rays that slide over each other and pulse. They are sharp at the lower
 * edge and fade upward from green to violet.
 */
function paintAurora(stage: Stage): Painter[] {
  const { compositor, geometry, horizon, noise, palette } = stage
  const { width, unit } = geometry
  const accent = stage.brief.colors[0]
  const colors = auroraColors.map((color) => (accent ? mixRgb(color, accent, 0.6) : color))
  const columns = 320
  const span = Math.max(width * 1.5, unit * 2)
  return [0, 1].map((order) => {
    const folds = noise.sample({ shape: 'soft', octaves: 3, gain: 0.5 }, columns, (index, point) => {
      point.x = (index / columns) * 4.4 + order * 17
      point.y = 5 + order * 9
    })
    const rays = noise.sample({ shape: 'ridged', octaves: 4, gain: 0.62 }, columns, (index, point) => {
      point.x = (index / columns) * 13 + (folds[index] ?? 0) * 4 + order * 31
      point.y = 40 + order
    })
    const texture = compositor.texture(columns, 120, (u, v, yuv) => {
      const column = Math.round(u * (columns - 1))
      const ray = clamp(0.25 + (rays[column] ?? 0) * 1.1)
      const foot = 0.7 + (folds[column] ?? 0) * 0.42
      const elevation = foot - v
      const rise = smoothstep(-0.09, 0.03, elevation) * Math.exp(-Math.max(0, elevation) * (5.6 - 3 * ray))
      const edge = smoothstep(0, 0.12, u) * (1 - smoothstep(0.88, 1, u)) * smoothstep(0, 0.2, v) * (1 - smoothstep(0.88, 1, v))
      const strength = rise * ray * edge * (order === 0 ? 0.8 : 0.55)
      const height = clamp(elevation / 0.6) * (colors.length - 1)
      const from = colors[Math.floor(height)] ?? palette.glow
      const [y, cu, cv] = lightYuv(mixRgb(from, colors[Math.ceil(height)] ?? from, height % 1))
      yuv[0] = y * strength
      yuv[1] = cu * strength
      yuv[2] = cv * strength
    })
    const side = order === 0 ? 1 : -1
    return ({ seconds }) =>
      compositor.drawTexture(
        texture,
        {
          x: (width - span) / 2 + side * (Math.sin(seconds * 0.16 + order) * span * 0.045 + (order - 0.5) * span * 0.12),
          y: -horizon * (0.3 + 0.1 * order),
          width: span,
          height: horizon * 1.1,
          rowEnd: horizon,
        },
        { mode: 'add', gain: 0.78 + 0.2 * Math.sin(seconds * (0.7 + 0.3 * order) + order * 2) },
      )
  })
}

const spectrum = ['#5a2a9a', '#2a4ad8', '#1a9ab8', '#3cb43c', '#e8d428', '#f08a20', '#e03020'].map(hex)

/**
 * Paints an arc across the sky on the side away from the sun, with slightly brighter air inside it.
 */
function paintRainbow(stage: Stage): Painter {
  const { compositor, geometry, horizon, sun } = stage
  const { width, height, unit } = geometry
  const center = { x: width - sun.x, y: horizon + unit * 0.16 }
  const radius = unit * 0.66
  const band = unit * 0.07
  const texture = compositor.texture(480, 270, (u, v, yuv) => {
    const [x, y] = [u * width - center.x, v * horizon - center.y]
    const bandShare = (Math.hypot(x, y) - radius) / band + 0.5
    const lowerShare = smoothstep(0.2, 0.75, v)
    const seenShare = (0.5 + 0.3 * lowerShare) * (1 - smoothstep(0.93, 1, v))
    const arc = smoothstep(-0.12, 0.2, bandShare) * (1 - smoothstep(0.8, 1.12, bandShare)) * seenShare * 0.42
    const innerGlow = bandShare < 0.1 ? Math.exp((bandShare - 0.1) * 0.5) * 0.035 * seenShare * 255 : 0
    if (arc === 0) {
      yuv[0] = innerGlow
      yuv[1] = yuv[2] = 0
      return
    }
    const position = clamp(bandShare) * (spectrum.length - 1)
    const from: Rgb = spectrum[Math.floor(position)] ?? [0, 0, 0]
    const light = lightYuv(mixRgb(from, spectrum[Math.ceil(position)] ?? from, position % 1))
    yuv[0] = light[0] * arc * 0.7 + innerGlow
    yuv[1] = light[1] * arc
    yuv[2] = light[2] * arc
  })
  return (moment) => {
    const zoom = stage.zoom(0.02, moment)
    compositor.drawTexture(
      texture,
      {
        x: (-(zoom - 1) * width) / 2,
        y: -(zoom - 1) * horizon,
        width: width * zoom,
        height: horizon * zoom,
        rowEnd: Math.min(height, horizon),
      },
      { mode: 'add', gain: 1 },
    )
  }
}

/** Paints three strikes of lightning in each period. They light up the sky around a brief bolt. */
function paintLightning(stage: Stage): Painter {
  const { compositor, geometry, horizon } = stage
  const { width, unit } = geometry
  const random = stage.random('lightning')
  const light = lightYuv(hex('#c4ccff'))
  const glow = compositor.texture(64, 36, (u, v, yuv) => {
    const strength = Math.exp(-((u - 0.5) ** 2 * 9 + (v - 0.3) ** 2 * 7)) * 0.62
    yuv[0] = light[0] * strength
    yuv[1] = light[1] * strength
    yuv[2] = light[2] * strength
  })
  // The first strike is at the moment that a still shows.
  const strikes = [stillSeconds - 0.07, 0.7 + random() * 0.8, 6 + random() * 2].map((strikeSeconds) => ({
    strikeSeconds,
    x: width * (0.18 + 0.64 * random()),
    bolt: compositor.layer(unit * 0.3, horizon, (context, w, h) => {
      context.lineJoin = 'round'
      const trace = (x: number, y: number, end: number, lean: number, lineWidth: number): void => {
        const points: [number, number][] = [[x, y]]
        for (let boltY = y; boltY < end;) {
          boltY += h * (0.02 + 0.04 * random())
          x += unit * (random() - 0.5 + lean) * 0.034
          points.push([x, boltY])
          if (lineWidth > 2 && random() < 0.16)
            trace(x, boltY, Math.min(end, boltY + h * (0.1 + 0.2 * random())), lean + random() - 0.5, lineWidth * 0.4)
        }
        for (const [relativeWidth, alpha] of [
          [7, 0.07],
          [3.4, 0.16],
          [1, 0.95],
        ] as const) {
          context.strokeStyle = `rgba(226,230,255,${alpha})`
          context.lineWidth = Math.max(1, stage.toPixels(lineWidth) * relativeWidth)
          context.beginPath()
          for (const [index, [px, py]] of points.entries()) {
            if (index === 0) context.moveTo(px, py)
            else context.lineTo(px, py)
          }
          context.stroke()
        }
      }
      trace(w / 2, 0, h * (0.8 + 0.2 * random()), 0, 3.2)
    }),
  }))
  const periodSeconds = 10.4
  return ({ seconds }) => {
    for (const { strikeSeconds, x, bolt } of strikes) {
      const secondsSince = (((seconds - strikeSeconds) % periodSeconds) + periodSeconds) % periodSeconds
      const flash = Math.exp(-secondsSince * 4.2) * (1 - 0.5 * Math.exp(-(((secondsSince - 0.13) / 0.05) ** 2)))
      if (secondsSince > 1.2) continue
      const spread = unit * 1.9
      compositor.drawTexture(
        glow,
        { x: x - spread / 2, y: -unit * 0.12, width: spread, height: spread * 0.6, rowEnd: horizon },
        { mode: 'add', gain: flash },
      )
      if (secondsSince < 0.3)
        compositor.drawLayer(bolt, {
          x: x - bolt.width / 2,
          y: -horizon * 0.02,
          scale: 1,
          opacity: clamp(flash * 1.3),
          rowEnd: horizon,
        })
    }
  }
}
