import { hex, lightYuv, mixRgb } from '../../picture/color.ts'
import { smoothstep } from '../../picture/curves.ts'
import type { Painter, Stage } from '../stage.ts'
import { placeIn, type Room } from './room.ts'

/** Sideways shift of the light for each unit of length that it travels into the room. */
const slide = 0.26
/** Drop of the light for each unit of length that it travels into the room. */
const fall = 0.44

/** Paints the window's light on the floor, pane by pane, and the beams that lead to it. */
export function paintWindowLight(stage: Stage, { windows, floor, halfWidth }: Room): Painter {
  const { compositor, geometry, palette, horizon, sun, brief } = stage
  const { width, height, unit } = geometry
  const [columns, rows] = [200, 112]
  const sideOffset = sun.x < width / 2 ? slide : -slide
  const strength = brief.weather === 'clear' ? 1 : 0.3
  const light = lightYuv(mixRgb(palette.sunlight, palette.glow, 0.25))
  const lightShareAt = (x: number, y: number, edgeSoftness: number): number => {
    let strongest = 0
    for (const window of windows) {
      const [relativeX, relativeY] = [(x - window.x) / window.width, (y - window.y) / window.height]
      const insideShare =
        smoothstep(0.5 + edgeSoftness, 0.5 - edgeSoftness, Math.abs(relativeX)) *
        smoothstep(0.5 + edgeSoftness, 0.5 - edgeSoftness, Math.abs(relativeY))
      const panes = Math.max(2, Math.round(window.width / 0.24))
      const bars =
        smoothstep(0.02, 0.07 + edgeSoftness, Math.abs((((relativeX + 0.5) * panes + 0.5) % 1) - 0.5)) *
        smoothstep(0.02, 0.07 + edgeSoftness, Math.abs((((relativeY + 0.5) * 2 + 0.5) % 1) - 0.5))
      strongest = Math.max(strongest, insideShare * (0.35 + 0.65 * bars))
    }
    return strongest
  }
  const texture = compositor.texture(columns, rows, (u, v, yuv) => {
    const [x, y] = [(u * width - width / 2) / unit, (v * height - horizon) / unit]
    let glow = 0
    const nearness = y / floor
    if (nearness > 1) {
      const inwardDistance = (nearness - 1) * 0.9
      const onFloor =
        Math.abs(x / nearness) < halfWidth
          ? lightShareAt(
              x / nearness - sideOffset * inwardDistance,
              floor - fall * inwardDistance - 0.04,
              0.05 + inwardDistance * 0.05,
            )
          : 0
      glow += onFloor * 0.85 * Math.exp(-inwardDistance * 0.4)
    }
    // A beam consists of slices of the light at growing distances from the window.
    for (let slice = 1; slice <= 9; slice++) {
      const inwardDistance = slice * 0.085
      const scale = 1 + inwardDistance / 0.9
      glow +=
        lightShareAt(x / scale - sideOffset * inwardDistance, y / scale - fall * inwardDistance, 0.08) *
        0.03 *
        Math.exp(-inwardDistance * 1.2)
    }
    // The glow of the bright window extends over its frame.
    for (const window of windows) {
      const [outsideX, outsideY] = [
        Math.max(0, Math.abs(x - window.x) - window.width / 2),
        Math.max(0, Math.abs(y - window.y) - window.height / 2),
      ]
      glow += Math.exp(-Math.hypot(outsideX, outsideY) * 11) * 0.16
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

/** Paints the warm light around each lamp, and the bright lamp itself. */
export function paintLampLight(stage: Stage, { lamp, kind }: Room): Painter {
  const { compositor, geometry, brief } = stage
  const { unit, height } = geometry
  const place = placeIn(stage)
  const light = lightYuv(hex('#ffb868'))
  const power = brief.time === 'night' ? 0.56 : 0.4
  const texture = compositor.texture(72, 72, (u, v, yuv) => {
    const distance = Math.hypot(u - 0.5, (v - 0.5) * 1.1)
    const glow = Math.max(0, Math.exp(-distance * 5.4) - 0.068) * power
    yuv[0] = light[0] * glow
    yuv[1] = light[1] * glow
    yuv[2] = light[2] * glow
  })
  const lamps =
    kind === 'cafe' || kind === 'kitchen'
      ? [-0.3, 0, 0.3].map((x) => place(x, -0.24, 1.5))
      : [place(lamp.x, lamp.y - 0.06, lamp.nearness)]
  const size = unit * (lamps.length > 1 ? 1.3 : 1.9)
  const core = lightYuv(hex('#ffe0a8'))
  return (moment) => {
    for (const { x, y } of lamps) {
      const point = stage.project(x, y, 0.16, moment)
      const top = point.y - size / 2
      compositor.drawTexture(
        texture,
        {
          x: point.x - size / 2,
          y: top,
          width: size,
          height: size,
          rowFirst: Math.floor(top) & ~3,
          rowEnd: Math.min(height, Math.ceil(top + size)),
        },
        { mode: 'add', gain: lamps.length > 1 ? 0.6 : 0.96 },
      )
      compositor.addSpot(point.x, point.y, stage.toPixels(34), [core[0] * 0.5, core[1] * 0.5, core[2] * 0.5])
    }
  }
}
