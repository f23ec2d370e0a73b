import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import type { Layer } from '../../picture/compositor.ts'
import type { Subject } from '../scene-brief.ts'
import type { Painter, Stage } from '../stage.ts'

const poses = 6

export type SwimmerKind = 'fish' | 'whale'

export function isSwimming(kind: Subject['kind']): kind is SwimmerKind {
  return kind === 'fish' || kind === 'whale'
}

interface Swimmer {
  x: number
  y: number
  scale: number
  phase: number
  sprites: readonly Layer[]
}

/** Fish, a few of them near, or a whale that crosses the picture slowly. */
export function paintSwimmers(stage: Stage, subject: Subject & { kind: SwimmerKind }, order: number): Painter {
  const { geometry, palette } = stage
  const { unit, width, height } = geometry
  const random = stage.random(`swimmers ${subject.kind}`)
  const facesLeft = random() < 0.5 !== (order % 2 === 1)
  const isWhale = subject.kind === 'whale'
  const length = unit * (isWhale ? 0.74 : 0.2)
  const shade = (colour: Rgb): Rgb =>
    mixRgb(mixRgb(colour, palette.near, palette.subjectShade), palette.haze, isWhale ? 0.14 : 0.04)
  const colours = subject.colour
    ? [subject.colour]
    : isWhale
      ? [hex('#4a6a86')]
      : [hex('#f08a2c'), hex('#f4cc3c'), hex('#4a7ae0')]
  const kinds = colours.map((colour) =>
    drawPoses(stage, length, facesLeft, isWhale ? 0.5 : 0.64, (context, phase) =>
      isWhale
        ? drawWhale(context, shade(colour), shade(hex('#dfeaf0')), phase)
        : drawFish(context, shade(colour), shade(hex('#fdf6ea')), phase),
    ),
  )
  const count = Math.min(5, isWhale ? subject.count : Math.max(3, subject.count))
  const swimmers = Array.from({ length: count }, (_, index): Swimmer => {
    const aside = (index + 1) >> 1
    return {
      x: width * (0.5 + (index % 2 ? 1 : -1) * aside * (isWhale ? 0.24 : 0.13) + (random() - 0.5) * 0.08),
      y: height * ((isWhale ? 0.42 : 0.5) + (index % 2 ? 0.1 : -0.08) * aside + (random() - 0.5) * 0.07),
      scale: index === 0 ? 1 : 0.55 + 0.3 * random(),
      phase: random(),
      sprites: kinds[index % kinds.length] ?? [],
    }
  })
  return swimming(stage, swimmers, {
    facesLeft,
    speed: unit * (isWhale ? 0.06 : 0.075),
    beats: isWhale ? 0.35 : 1.3,
    depth: 0.16,
  })
}

/** Many small fish far off, that turn up in every sea. */
export function paintShoal(stage: Stage, colour: Rgb): Painter {
  const { unit, width, height } = stage.geometry
  const random = stage.random('shoal')
  const facesLeft = random() < 0.5
  const sprites = drawPoses(stage, unit * 0.034, facesLeft, 0.64, (context, phase) =>
    drawFish(context, colour, mixRgb(colour, [255, 255, 255], 0.25), phase),
  )
  const centre = { x: 0.3 + 0.4 * random(), y: 0.26 + 0.14 * random() }
  const swimmers = Array.from({ length: 34 }, (): Swimmer => {
    const [across, down] = [random() + random() - 1, random() + random() - 1]
    return {
      x: width * (centre.x + across * 0.2),
      y: height * (centre.y + down * 0.1 + across * 0.05),
      scale: 0.7 + 0.5 * random(),
      phase: random(),
      sprites,
    }
  })
  return swimming(stage, swimmers, { facesLeft, speed: unit * 0.03, beats: 1.9, depth: 0.07 })
}

function swimming(
  stage: Stage,
  swimmers: readonly Swimmer[],
  { facesLeft, speed, beats, depth }: { facesLeft: boolean; speed: number; beats: number; depth: number },
): Painter {
  return (moment) => {
    const gone = (moment.seconds - stage.seconds / 2) * Math.min(speed, (stage.geometry.width * 0.5) / stage.seconds)
    for (const { x, y, scale, phase, sprites } of swimmers) {
      const beat = moment.seconds * beats * (0.85 + 0.3 * phase) + phase
      const sprite = sprites[Math.floor((beat % 1) * poses)]
      if (!sprite) continue
      const left = x + (facesLeft ? -gone : gone) * (0.85 + 0.3 * phase) - (sprite.width * scale) / 2
      const top = y + Math.sin(moment.seconds * 0.9 + phase * 6.28) * stage.pixels(5) - (sprite.height * scale) / 2
      stage.drawAt(sprite, { x: left, y: top, depth, scale }, moment)
    }
  }
}

function drawPoses(
  stage: Stage,
  length: number,
  facesLeft: boolean,
  tall: number,
  draw: (context: SKRSContext2D, phase: number) => void,
): Layer[] {
  return Array.from({ length: poses }, (_, pose) =>
    stage.compositor.layer(length * 1.16, length * tall, (context, width, height) => {
      context.translate(width / 2, height / 2)
      context.scale(facesLeft ? -length : length, length)
      draw(context, pose / poses)
    }),
  )
}

/** 1 long, nose to the right; from the side a beating tail looks longer and shorter. */
function drawFish(context: SKRSContext2D, colour: Rgb, pale: Rgb, phase: number): void {
  const swing = 0.72 + 0.28 * Math.cos(phase * Math.PI * 2)
  const fin = css(mixRgb(scaleRgb(colour, 0.8), pale, 0.1), 0.94)
  const tail = -0.5 + (1 - swing) * 0.18
  context.fillStyle = fin
  context.beginPath()
  context.moveTo(-0.24, -0.03)
  context.quadraticCurveTo(tail + 0.1, -0.1, tail, -0.2)
  context.quadraticCurveTo(tail + 0.1 * swing, 0, tail, 0.2)
  context.quadraticCurveTo(tail + 0.1, 0.1, -0.24, 0.03)
  context.fill()
  context.beginPath()
  context.moveTo(0.2, -0.16)
  context.bezierCurveTo(0.06, -0.34, -0.12, -0.3, -0.2, -0.1)
  context.fill()
  context.beginPath()
  context.moveTo(0.04, 0.18)
  context.quadraticCurveTo(-0.06, 0.31, -0.16, 0.24)
  context.lineTo(-0.12, 0.12)
  context.fill()
  const body = context.createLinearGradient(0, -0.24, 0, 0.24)
  body.addColorStop(0, css(scaleRgb(colour, 0.72)))
  body.addColorStop(0.4, css(colour))
  body.addColorStop(0.95, css(mixRgb(colour, pale, 0.72)))
  context.save()
  context.beginPath()
  context.moveTo(0.5, 0.01)
  context.bezierCurveTo(0.36, -0.2, 0.04, -0.3, -0.3, -0.05)
  context.lineTo(-0.3, 0.05)
  context.bezierCurveTo(0.04, 0.28, 0.36, 0.2, 0.5, 0.01)
  context.fillStyle = body
  context.fill()
  context.clip()
  context.strokeStyle = css(pale, 0.6)
  for (const [x, wide] of [
    [0.2, 0.06],
    [-0.06, 0.05],
  ] as const) {
    context.lineWidth = wide
    context.beginPath()
    context.moveTo(x, -0.3)
    context.quadraticCurveTo(x + 0.06, 0, x, 0.3)
    context.stroke()
  }
  context.restore()
  context.fillStyle = fin
  context.beginPath()
  context.moveTo(0.14, 0.05)
  context.quadraticCurveTo(-0.02, 0.02 + 0.12 * swing, -0.04, 0.14 * swing)
  context.quadraticCurveTo(0.08, 0.13, 0.14, 0.05)
  context.fill()
  context.fillStyle = '#f6f8fa'
  context.beginPath()
  context.arc(0.35, -0.035, 0.034, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = '#10121a'
  context.beginPath()
  context.arc(0.357, -0.035, 0.02, 0, Math.PI * 2)
  context.fill()
}

/** 1 long, head to the right; the flukes beat up and down, and the back follows. */
function drawWhale(context: SKRSContext2D, colour: Rgb, pale: Rgb, phase: number): void {
  const beat = Math.sin(phase * Math.PI * 2) * 0.055
  const tail = { x: -0.43, y: -0.03 + beat }
  const body = context.createLinearGradient(0, -0.16, 0, 0.16)
  body.addColorStop(0, css(mixRgb(colour, pale, 0.22)))
  body.addColorStop(0.3, css(colour))
  body.addColorStop(1, css(scaleRgb(colour, 0.55)))
  context.fillStyle = css(scaleRgb(colour, 0.7))
  context.beginPath()
  context.moveTo(0.2, 0.08)
  context.bezierCurveTo(0.12, 0.16, 0.02, 0.2 + beat * 0.5, -0.06, 0.22 + beat * 0.6)
  context.bezierCurveTo(0.0, 0.16, 0.05, 0.1, 0.1, 0.06)
  context.fill()
  context.fillStyle = css(scaleRgb(colour, 0.8))
  context.beginPath()
  context.moveTo(tail.x + 0.06, tail.y + 0.012)
  context.bezierCurveTo(tail.x, tail.y - 0.01, tail.x - 0.02, tail.y - 0.07 + beat * 0.6, tail.x - 0.1, tail.y - 0.06 + beat)
  context.bezierCurveTo(tail.x - 0.06, tail.y - 0.04, tail.x - 0.05, tail.y - 0.01, tail.x - 0.04, tail.y + 0.01)
  context.bezierCurveTo(
    tail.x - 0.06,
    tail.y + 0.03,
    tail.x - 0.1,
    tail.y + 0.03 + beat * 0.6,
    tail.x - 0.1,
    tail.y + 0.04 + beat,
  )
  context.bezierCurveTo(tail.x - 0.03, tail.y + 0.06, tail.x, tail.y + 0.04, tail.x + 0.06, tail.y + 0.02)
  context.fill()
  context.save()
  context.beginPath()
  context.moveTo(0.5, 0.03)
  context.bezierCurveTo(0.49, -0.09, 0.36, -0.15, 0.18, -0.15)
  context.bezierCurveTo(-0.02, -0.15, -0.2, -0.1, tail.x, tail.y - 0.012)
  context.lineTo(tail.x, tail.y + 0.03)
  context.bezierCurveTo(-0.22, 0.06, -0.06, 0.14, 0.16, 0.15)
  context.bezierCurveTo(0.36, 0.16, 0.49, 0.12, 0.5, 0.03)
  context.fillStyle = body
  context.fill()
  context.clip()
  context.fillStyle = css(mixRgb(colour, pale, 0.62), 0.85)
  context.beginPath()
  context.moveTo(0.52, 0.055)
  context.bezierCurveTo(0.34, 0.04, 0.2, 0.07, -0.1, 0.1)
  context.lineTo(-0.1, 0.2)
  context.lineTo(0.52, 0.2)
  context.fill()
  context.strokeStyle = css(scaleRgb(colour, 0.7), 0.5)
  context.lineWidth = 0.005
  for (let pleat = 0; pleat < 6; pleat++) {
    context.beginPath()
    context.moveTo(0.5, 0.07 + pleat * 0.013)
    context.quadraticCurveTo(0.26, 0.075 + pleat * 0.016, 0.02, 0.1 + pleat * 0.012)
    context.stroke()
  }
  context.restore()
  context.fillStyle = css(scaleRgb(colour, 0.75))
  context.beginPath()
  context.moveTo(-0.1, -0.115)
  context.quadraticCurveTo(-0.16, -0.165, -0.2, -0.155)
  context.quadraticCurveTo(-0.18, -0.11, -0.19, -0.09)
  context.fill()
  context.fillStyle = '#0c1018'
  context.beginPath()
  context.arc(0.345, 0.018, 0.011, 0, Math.PI * 2)
  context.fill()
}
