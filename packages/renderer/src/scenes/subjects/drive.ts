import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'
import { lightAt, appearanceIn } from './light.ts'
import type { Model } from './model.ts'
import { drawPoses, showPose } from './poses.ts'

export interface Drive {
  /** Speed in units per second. */
  speed: number
  route: 'road' | 'track'
  /** Maximum number of vehicles in the frame. */
  countMax: number
}

/** Position of the road or track. */
export interface RoutePosition {
  ground: number
  depth: number
  /** Distance from the viewer: 0 is at the viewer, 1 at the horizon. */
  distance: number
  size: number
}

/**
 * Paints a road or a track across the frame, and the vehicles on it. A street has a road already.
 * At half of the video's duration, the vehicles are in the middle.
 */
export function paintDriving(stage: Stage, subject: Subject, model: Model, drive: Drive, position: RoutePosition): Painter {
  const { geometry } = stage
  const { unit, width } = geometry
  const random = stage.random(`driving ${subject.kind}`)
  const routePainter =
    drive.route === 'track'
      ? paintViaduct(stage, position)
      : stage.brief.place === 'street'
        ? undefined
        : paintRoad(stage, position)
  const height = model.height * unit * position.size
  const count = Math.min(drive.countMax, subject.count)
  const members = Array.from({ length: count }, () => ({ phase: random() }))
  const pace = model.cycle?.pace ?? 0
  const stillSeconds = stage.moment(0).seconds
  const poses = drawPoses(stage, subject, model, {
    height,
    x: width / 2,
    ground: position.ground,
    distance: position.distance,
    hasShadow: drive.route === 'road',
    stillPhases: members.map(({ phase }) => (stillSeconds * pace + phase) % 1),
  })
  const speed = unit * drive.speed * position.size * (0.9 + 0.2 * random())
  const gap = model.reach.side * height * 1.25
  return (moment) => {
    routePainter?.(moment)
    const leadX = width * 0.5 + (moment.seconds - stage.seconds / 2) * Math.min(speed, (width * 0.9) / stage.seconds)
    for (const [index, { phase }] of members.entries()) {
      const shake = Math.sin(moment.seconds * 23 + index * 2) * stage.toPixels(0.5)
      const x = leadX - (index - (count - 1) / 2) * gap
      showPose(
        stage,
        poses,
        { x, y: position.ground + shake, depth: position.depth, phase: moment.seconds * pace + phase, member: index },
        moment,
      )
    }
  }
}

function paintRoad(stage: Stage, position: RoutePosition): Painter {
  const { unit, width } = stage.geometry
  const height = unit * 0.1 * position.size
  const light = lightAt(stage, { x: width / 2, y: position.ground }, position.distance)
  const asphalt = appearanceIn(light, hex('#6a6870'), 0.2)
  return paintBand(stage, position, height, 0.42, (context, w, h) => {
    const fill = context.createLinearGradient(0, 0, 0, h)
    fill.addColorStop(0, css(mixRgb(asphalt, stage.palette.haze, 0.25)))
    fill.addColorStop(1, css(scaleRgb(asphalt, 0.72)))
    context.fillStyle = fill
    context.fillRect(0, h * 0.06, w, h * 0.88)
    context.fillStyle = css(appearanceIn(light, hex('#efe9d8'), 0.2), 0.85)
    context.fillRect(0, h * 0.1, w, h * 0.025)
    context.fillRect(0, h * 0.87, w, h * 0.035)
    for (let x = 0; x < w; x += unit * 0.16) context.fillRect(x, h * 0.52, unit * 0.085, h * 0.045)
  })
}

/**
 * Paints a viaduct. It suits any ground, and viewers recognize even a distant viaduct as a railway.
 */
export function paintViaduct(stage: Stage, position: RoutePosition, color: Rgb = hex('#a2978c')): Painter {
  const { unit, width } = stage.geometry
  const { palette } = stage
  const stone = appearanceIn(lightAt(stage, { x: width / 2, y: position.ground }, position.distance), color, 0.15)
  const height = unit * 0.15 * position.size
  return paintBand(stage, position, height, 0.04, (context, w, h) => {
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
    // The feet of the pillars fade into the ground or the water.
    const fade = context.createLinearGradient(0, h * 0.62, 0, h)
    fade.addColorStop(0, 'rgba(0,0,0,0)')
    fade.addColorStop(1, 'rgba(0,0,0,1)')
    context.globalCompositeOperation = 'destination-out'
    context.fillStyle = fade
    context.fillRect(0, h * 0.62, w, h * 0.38)
  })
}

/**
 * Paints a strip across the frame. `aboveShare` is the share of its height that lies above the
 * wheels.
 */
function paintBand(
  stage: Stage,
  position: { ground: number; depth: number },
  height: number,
  aboveShare: number,
  draw: Parameters<Stage['compositor']['layer']>[2],
): Painter {
  const { width } = stage.geometry
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const layer = stage.compositor.layer(layerWidth, height, draw)
  return (moment) =>
    stage.drawAt(
      layer,
      { x: (width - layerWidth) / 2, y: position.ground - layer.height * aboveShare, depth: position.depth },
      moment,
    )
}
