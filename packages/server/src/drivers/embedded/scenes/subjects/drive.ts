import { css, hex, mixRgb, scaleRgb } from '../../picture/colour.ts'
import type { Subject } from '../scene-brief.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { drawSprite, footShare, type ThingKind } from './stand.ts'

/** Units a second. */
const speeds = { car: 0.2, train: 0.34 } as const

export type VehicleKind = keyof typeof speeds

/** A road or a track across the frame, and what drives along it; half-way through the film it is in the middle. */
export function paintDriving(
  stage: Stage,
  subject: Subject & { kind: VehicleKind & ThingKind },
  at: { ground: number; depth: number; order: number; size: number },
): Painter {
  const { geometry } = stage
  const { unit, width } = geometry
  const random = stage.random(`driving ${subject.kind}`)
  const way = subject.kind === 'car' ? drawRoad(stage, at) : drawTrack(stage, at)
  const sprite = drawSprite(stage, subject, at.size)
  const speed = unit * speeds[subject.kind] * at.size * (0.9 + 0.2 * random())
  const count = subject.kind === 'train' ? 1 : Math.min(4, subject.count)
  const gap = sprite.width * 1.15
  return (moment) => {
    way(moment)
    const lead = width * 0.5 + (moment.seconds - stage.seconds / 2) * Math.min(speed, (width * 0.9) / stage.seconds)
    for (let index = 0; index < count; index++) {
      const shake = subject.kind === 'car' ? Math.sin(moment.seconds * 23 + index * 2) * stage.pixels(0.5) : 0
      const x = lead - (index - (count - 1) / 2) * gap - sprite.width / 2
      stage.drawAt(sprite, { x, y: at.ground - sprite.height * footShare + shake, depth: at.depth }, moment)
    }
  }
}

function drawRoad(stage: Stage, at: { ground: number; depth: number; size: number }): Painter {
  const { unit } = stage.geometry
  const tall = unit * 0.1 * at.size
  const asphalt = mixRgb(mixRgb(hex('#5c5a62'), stage.palette.near, stage.palette.subjectShade), stage.palette.haze, 0.12)
  return band(stage, at, tall, 0.42, (context, w, h) => {
    const fill = context.createLinearGradient(0, 0, 0, h)
    fill.addColorStop(0, css(mixRgb(asphalt, stage.palette.haze, 0.25)))
    fill.addColorStop(1, css(scaleRgb(asphalt, 0.72)))
    context.fillStyle = fill
    context.fillRect(0, h * 0.06, w, h * 0.88)
    context.fillStyle = css(mixRgb(asphalt, [255, 250, 230], 0.5), 0.8)
    context.fillRect(0, h * 0.1, w, h * 0.025)
    context.fillRect(0, h * 0.87, w, h * 0.035)
    for (let x = 0; x < w; x += unit * 0.16) context.fillRect(x, h * 0.52, unit * 0.085, h * 0.045)
  })
}

function drawTrack(stage: Stage, at: { ground: number; depth: number; size: number }): Painter {
  const { unit } = stage.geometry
  const { palette } = stage
  const stone = mixRgb(mixRgb(hex('#8a8078'), palette.near, palette.subjectShade + 0.1), palette.haze, 0.15)
  const tall = unit * 0.15 * at.size
  // A viaduct: it stands on any ground, and reads as a railway from afar.
  return band(stage, at, tall, 0.04, (context, w, h) => {
    const fill = context.createLinearGradient(0, 0, 0, h)
    fill.addColorStop(0, css(mixRgb(stone, palette.rim, 0.2)))
    fill.addColorStop(0.25, css(stone))
    fill.addColorStop(1, css(scaleRgb(stone, 0.6)))
    context.fillStyle = fill
    const pitch = h * 0.86
    context.beginPath()
    context.rect(0, 0, w, h)
    for (let x = pitch * 0.14; x < w; x += pitch) {
      context.moveTo(x, h)
      context.lineTo(x, h * 0.58)
      context.arc(x + pitch * 0.36, h * 0.58, pitch * 0.36, Math.PI, 0)
      context.lineTo(x + pitch * 0.72, h)
      context.closePath()
    }
    context.fill('evenodd')
    context.fillStyle = css(mixRgb(stone, palette.rim, 0.4))
    context.fillRect(0, 0, w, Math.max(1, h * 0.03))
    context.fillStyle = css(scaleRgb(stone, 0.5), 0.6)
    context.fillRect(0, h * 0.09, w, Math.max(1, h * 0.025))
    // The feet fade into the ground or the water, whatever it is.
    const fade = context.createLinearGradient(0, h * 0.62, 0, h)
    fade.addColorStop(0, 'rgba(0,0,0,0)')
    fade.addColorStop(1, 'rgba(0,0,0,1)')
    context.globalCompositeOperation = 'destination-out'
    context.fillStyle = fade
    context.fillRect(0, h * 0.62, w, h * 0.38)
  })
}

/** `above` is the share of its height that lies above the wheels. */
function band(
  stage: Stage,
  at: { ground: number; depth: number },
  tall: number,
  above: number,
  draw: Parameters<Stage['compositor']['layer']>[2],
): Painter {
  const { width } = stage.geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const layer = stage.compositor.layer(layerWidth, tall, draw)
  return (moment) =>
    stage.drawAt(layer, { x: (width - layerWidth) / 2, y: at.ground - layer.height * above, depth: at.depth }, moment)
}
