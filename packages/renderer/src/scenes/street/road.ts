import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { farthest, createProjection } from './perspective.ts'
import type { StreetKind } from './street-kind.ts'

export const asphalt: Rgb = hex('#62646a')

/**
 * Paints the sidewalks and the asphalt, which is translucent, so that the reflections below it
 * remain visible. Except in an alley, the road has lines, and the prompt's words choose whether it
 * has a crossing.
 */
export function paintRoad(stage: Stage, kind: StreetKind, isWet: boolean): Painter {
  const { geometry, horizon, compositor, palette, brief } = stage
  const { width, height, unit } = geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const left = (width - layerWidth) / 2
  const project = createProjection(stage)
  const litColor = (color: Rgb): Rgb =>
    mixRgb(scaleRgb(color, brief.time === 'night' ? 0.34 : brief.time === 'dusk' ? 0.6 : 0.95), palette.skylight, 0.25)
  const nearest = 2.4
  const fillStrip = (context: SKRSContext2D, x0: number, x1: number, z0: number, z1: number): void => {
    const corners = [project(x0, 0, z0), project(x1, 0, z0), project(x1, 0, z1), project(x0, 0, z1)]
    context.beginPath()
    for (const [index, corner] of corners.entries()) {
      if (index === 0) context.moveTo(corner.x, corner.y)
      else context.lineTo(corner.x, corner.y)
    }
    context.fill()
  }
  const layer = compositor.layer(layerWidth, height * 1.06 - horizon, (context) => {
    context.translate(-left, -horizon)
    const opacity = isWet ? 0.3 : 0.82
    const pavement = litColor(hex(stage.pick('pavement', ['#8c8880', '#7c7c80', '#948878'])))
    for (const side of [-1, 1]) {
      context.fillStyle = css(pavement, isWet ? 0.45 : 0.94)
      fillStrip(context, side * kind.kerbDistance, side * (kind.wallDistance + 6), nearest, farthest)
      context.fillStyle = css(scaleRgb(pavement, 0.66), 0.8)
      fillStrip(context, side * kind.kerbDistance, side * (kind.kerbDistance + 0.16), nearest, farthest)
      context.strokeStyle = css(scaleRgb(pavement, 0.7), 0.5)
      context.lineWidth = Math.max(0.8, unit * 0.001)
      context.beginPath()
      for (let z = 3; z < 60; z *= 1.16) {
        const [from, to] = [project(side * (kind.kerbDistance + 0.2), 0, z), project(side * (kind.wallDistance + 4), 0, z)]
        context.moveTo(from.x, from.y)
        context.lineTo(to.x, to.y)
      }
      context.stroke()
    }
    const fade = context.createLinearGradient(0, horizon, 0, height)
    fade.addColorStop(0, css(litColor(asphalt), opacity * 0.5))
    fade.addColorStop(1, css(scaleRgb(litColor(asphalt), 0.8), opacity))
    context.fillStyle = fade
    fillStrip(context, -kind.kerbDistance, kind.kerbDistance, nearest, farthest)
    if (kind.kerbDistance < 2) return
    context.fillStyle = css(litColor([236, 232, 220]), isWet ? 0.5 : 0.75)
    for (let z = 3.4; z < 110; z += 6) fillStrip(context, -0.08, 0.08, z, z + 3)
    if (stage.pick('crossing', [true, false]))
      for (let x = -kind.kerbDistance + 0.5; x < kind.kerbDistance - 0.4; x += 1.1) fillStrip(context, x, x + 0.55, 7, 10)
  })
  return (moment) => stage.drawAt(layer, { x: left, y: horizon, depth: 0.1, rowEnd: height }, moment)
}
