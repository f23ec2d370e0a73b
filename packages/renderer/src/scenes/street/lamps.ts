import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, lightYuv, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Painter, Stage } from '../stage.ts'
import { farthest, focalUnits, createProjection, type Project, type Slice } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'

const lampHeight = 5

export function drawLamps(
  stage: Stage,
  context: SKRSContext2D,
  project: Project,
  { kind, slice, air }: { kind: StreetKind; slice: Slice; air: Rgb },
): void {
  for (const { side, z } of findLamps(kind, slice)) {
    const lampX = side * (kind.kerbDistance + 0.5)
    const [foot, top, head] = [
      project(lampX, 0, z),
      project(lampX, lampHeight, z),
      project(lampX - side * 0.7, lampHeight + 0.1, z),
    ]
    context.strokeStyle = css(mixRgb(scaleRgb(stage.palette.nearColor, 0.9), air, 0.6 * (1 - Math.exp(-z / 60))))
    context.lineWidth = Math.max(1, (foot.y - top.y) * 0.022)
    context.beginPath()
    context.moveTo(foot.x, foot.y)
    context.lineTo(top.x, top.y)
    context.lineTo(head.x, head.y)
    context.stroke()
  }
}

/** Paints the glow of the lamps. Returns undefined if `strength` is below 0.5. */
export function paintLampGlow(stage: Stage, kind: StreetKind, strength: number): Painter | undefined {
  if (strength < 0.5) return undefined
  const { compositor, geometry } = stage
  const project = createProjection(stage)
  const warmLight = lightYuv(hex('#ffb45c'))
  const lamps = findLamps(kind, { nearDistance: 3, farDistance: farthest }).map(({ side, z }) => ({
    head: project(side * (kind.kerbDistance - 0.2), lampHeight, z),
    z,
  }))
  return (moment) => {
    for (const { head, z } of lamps) {
      const point = stage.project(head.x, head.y, 0.03 + 0.12 / (1 + z / 14), moment)
      const size = (geometry.unit * focalUnits) / z
      const brightness = Math.exp(-z / 90) * strength
      const spread = Math.min(geometry.unit * 0.2, size * (kind.kerbDistance < 2 ? 2.4 : 1.5))
      compositor.addSpot(point.x, point.y, spread, [
        warmLight[0] * 0.32 * brightness,
        warmLight[1] * 0.32 * brightness,
        warmLight[2] * 0.32 * brightness,
      ])
      compositor.addSpot(point.x, point.y, Math.max(1.4, size * 0.2), [
        warmLight[0] * brightness,
        warmLight[1] * brightness,
        warmLight[2] * brightness,
      ])
    }
  }
}

function findLamps(kind: StreetKind, slice: Slice): { side: number; z: number }[] {
  const lamps: { side: number; z: number }[] = []
  for (let z = farthest - (farthest % kind.lampInterval); z > Math.max(slice.nearDistance, 5); z -= kind.lampInterval) {
    if (z < slice.farDistance) lamps.push({ side: (z / kind.lampInterval) % 2 === 0 ? -1 : 1, z })
  }
  return lamps
}
