import { hex, lightYuv, mixRgb } from '../../picture/colour.ts'
import { smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { placeIn, type Room } from './room.ts'

/** Sideways shift (`slide`) and drop of the light for each length that it comes into the room. */
const slide = 0.26
const fall = 0.44

/** Paints the window's light on the floor, pane by pane, and the beams that lead to it. */
export function paintWindowLight(stage: Stage, { windows, floor, half }: Room): Painter {
  const { compositor, geometry, palette, horizon, sun, brief } = stage
  const { width, height, unit } = geometry
  const [columns, rows] = [200, 112]
  const aside = sun.x < width / 2 ? slide : -slide
  const strength = brief.weather === 'clear' ? 1 : 0.3
  const light = lightYuv(mixRgb(palette.sunlight, palette.glow, 0.25))
  const within = (x: number, y: number, soft: number): number => {
    let most = 0
    for (const window of windows) {
      const [across, down] = [(x - window.x) / window.wide, (y - window.y) / window.tall]
      const inside = smoothstep(0.5 + soft, 0.5 - soft, Math.abs(across)) * smoothstep(0.5 + soft, 0.5 - soft, Math.abs(down))
      const panes = Math.max(2, Math.round(window.wide / 0.24))
      const bars =
        smoothstep(0.02, 0.07 + soft, Math.abs((((across + 0.5) * panes + 0.5) % 1) - 0.5)) *
        smoothstep(0.02, 0.07 + soft, Math.abs((((down + 0.5) * 2 + 0.5) % 1) - 0.5))
      most = Math.max(most, inside * (0.35 + 0.65 * bars))
    }
    return most
  }
  const texture = compositor.texture(columns, rows, (u, v, yuv) => {
    const [x, y] = [(u * width - width / 2) / unit, (v * height - horizon) / unit]
    let glow = 0
    const near = y / floor
    if (near > 1) {
      const into = (near - 1) * 0.9
      const onFloor =
        Math.abs(x / near) < half ? within(x / near - aside * into, floor - fall * into - 0.04, 0.05 + into * 0.05) : 0
      glow += onFloor * 0.85 * Math.exp(-into * 0.4)
    }
    // Beams are slices of the light at growing distances from the window.
    for (let slice = 1; slice <= 9; slice++) {
      const into = slice * 0.085
      const scale = 1 + into / 0.9
      glow += within(x / scale - aside * into, y / scale - fall * into, 0.08) * 0.03 * Math.exp(-into * 1.2)
    }
    // The bright window spills over its frame.
    for (const window of windows) {
      const [across, down] = [
        Math.max(0, Math.abs(x - window.x) - window.wide / 2),
        Math.max(0, Math.abs(y - window.y) - window.tall / 2),
      ]
      glow += Math.exp(-Math.hypot(across, down) * 11) * 0.16
    }
    glow *= strength * 0.6
    yuv[0] = light[0] * glow
    yuv[1] = light[1] * glow
    yuv[2] = light[2] * glow
  })
  return (moment) => {
    const zoom = stage.zoom(0.09, moment)
    const breath = 0.9 + 0.06 * Math.sin(moment.seconds * 0.5) + 0.04 * Math.sin(moment.seconds * 0.83 + 2)
    compositor.drawTexture(
      texture,
      {
        x: width / 2 - (width / 2) * zoom - stage.pan(0.09, moment),
        y: horizon - horizon * zoom,
        width: width * zoom,
        height: height * zoom,
      },
      { mode: 'add', gain: breath },
    )
  }
}

/** Paints the warm light of the lamp on its surroundings. */
export function paintLampLight(stage: Stage, { lamp, inside }: Room): Painter {
  const { compositor, geometry, brief } = stage
  const { unit, height } = geometry
  const place = placeIn(stage)
  const light = lightYuv(hex('#ffb868'))
  const power = brief.time === 'night' ? 0.56 : 0.4
  const texture = compositor.texture(72, 72, (u, v, yuv) => {
    const away = Math.hypot(u - 0.5, (v - 0.5) * 1.1)
    const glow = Math.max(0, Math.exp(-away * 5.4) - 0.068) * power
    yuv[0] = light[0] * glow
    yuv[1] = light[1] * glow
    yuv[2] = light[2] * glow
  })
  const lamps =
    inside === 'cafe' || inside === 'kitchen'
      ? [-0.3, 0, 0.3].map((x) => place(x, -0.24, 1.5))
      : [place(lamp.x, lamp.y - 0.06, lamp.near)]
  const size = unit * (lamps.length > 1 ? 1.3 : 1.9)
  const core = lightYuv(hex('#ffe0a8'))
  return (moment) => {
    for (const { x, y } of lamps) {
      const at = stage.project(x, y, 0.16, moment)
      const top = at.y - size / 2
      compositor.drawTexture(
        texture,
        {
          x: at.x - size / 2,
          y: top,
          width: size,
          height: size,
          rowFirst: Math.floor(top) & ~3,
          rowEnd: Math.min(height, Math.ceil(top + size)),
        },
        { mode: 'add', gain: lamps.length > 1 ? 0.6 : 0.96 },
      )
      compositor.addSpot(at.x, at.y, stage.pixels(34), [core[0] * 0.5, core[1] * 0.5, core[2] * 0.5])
    }
  }
}
