import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/colour.ts'
import { fillTaper, jointOf, traceSmooth, type Point } from './brush.ts'
import type { Species } from './species.ts'

export interface AnimalLight {
  /** The crest colour of light on the back, and the colour that fills the shadows below. */
  rim: Rgb
  shadow: Rgb
}

/** One pose of a walk to the right, `phase` 0 to 1 of a stride; the ground point under the middle is 0, 0, y grows down. */
export function drawQuadruped(context: SKRSContext2D, kind: Species, size: number, phase: number, light: AnimalLight): void {
  const turn = phase * Math.PI * 2
  const bob = Math.sin(turn * 2) * 0.012
  const pose = bodyPoints(kind, bob, turn)
  context.save()
  context.scale(size, size)
  const farTint = (colour: Rgb): Rgb => mixRgb(scaleRgb(colour, 0.62), light.shadow, 0.25)
  const gaits = [0.5, 0, 0, 0.5] as const
  drawLeg(context, kind, pose.hind, turn + gaits[0] * Math.PI * 2, 'hind', farTint(kind.coat), farTint(kind.dark))
  drawLeg(context, kind, pose.fore, turn + gaits[1] * Math.PI * 2 + 0.5, 'fore', farTint(kind.coat), farTint(kind.dark))
  drawTail(context, kind, pose.rump, turn)
  drawTrunk(context, kind, pose, light)
  drawLeg(context, kind, pose.hind, turn + gaits[2] * Math.PI * 2, 'hind', scaleRgb(kind.coat, 0.94), kind.dark)
  drawLeg(context, kind, pose.fore, turn + gaits[3] * Math.PI * 2 + 0.5, 'fore', kind.coat, kind.dark)
  drawHead(context, kind, pose, turn)
  context.restore()
}

interface Pose {
  hind: Point
  fore: Point
  rump: Point
  chest: Point
  withers: Point
  skull: Point
  top: number
  belly: number
}

function bodyPoints(kind: Species, bob: number, turn: number): Pose {
  const half = kind.body / 2
  const top = -1 + bob
  const belly = top + kind.girth
  const withers = { x: half * 0.62, y: top + 0.04 }
  const reach = kind.neck.length
  const nod = Math.sin(turn * 2 + 0.8) * 0.012
  const lean = Math.atan(kind.neck.rise)
  return {
    top,
    belly,
    hind: { x: -half * 0.72, y: top + kind.girth * 0.55 },
    fore: { x: half * 0.68, y: top + kind.girth * 0.62 },
    rump: { x: -half * 0.96, y: top + kind.girth * 0.3 },
    chest: { x: half * 0.92, y: top + kind.girth * 0.52 },
    withers,
    skull: { x: withers.x + kind.girth * 0.3 + Math.cos(lean) * reach, y: withers.y + 0.02 - Math.sin(lean) * reach + nod },
  }
}

function drawTrunk(context: SKRSContext2D, kind: Species, pose: Pose, light: AnimalLight): void {
  const half = kind.body / 2
  const { top, belly, withers, chest, skull } = pose
  const neck = kind.neck.width
  const fill = context.createLinearGradient(0, top - 0.1, 0, belly + 0.08)
  fill.addColorStop(0, css(mixRgb(kind.coat, light.rim, 0.22)))
  fill.addColorStop(0.4, css(kind.coat))
  fill.addColorStop(1, css(mixRgb(scaleRgb(kind.coat, 0.66), light.shadow, 0.22)))
  context.fillStyle = fill
  traceSmooth(context, [
    { x: -half * 1.02, y: top + kind.girth * 0.12 },
    { x: -half * 0.7, y: top - 0.03 },
    { x: -half * 0.1, y: top + 0.035 },
    { x: half * 0.5, y: top - 0.02 },
    { x: half * 0.95, y: top + kind.girth * 0.05 },
    { x: half * 1.08, y: top + kind.girth * 0.55 },
    { x: half * 0.8, y: belly + 0.06 },
    { x: half * 0.2, y: belly + 0.03 },
    { x: -half * 0.4, y: belly - 0.07 },
    { x: -half * 0.72, y: belly - 0.02 },
    { x: -half * 1.04, y: top + kind.girth * 0.72 },
  ])
  context.fill()
  fillTaper(context, { x: withers.x + neck * 0.3, y: withers.y + neck * 0.78 }, neck * 1.02, skull, neck * 0.66)
  if (kind.isMarked) {
    context.fillStyle = css(kind.light)
    traceSmooth(context, [
      { x: skull.x - 0.01, y: skull.y + neck * 0.5 },
      { x: skull.x + neck * 0.35, y: skull.y + neck * 0.45 },
      { x: chest.x + 0.05, y: chest.y - 0.02 },
      { x: chest.x - 0.1, y: belly + 0.04 },
      { x: chest.x - 0.06, y: chest.y - 0.12 },
    ])
    context.fill()
  }
  if (kind.mane) {
    context.strokeStyle = css(kind.dark)
    context.lineCap = 'round'
    context.lineWidth = 0.035
    for (let step = 0; step <= 14; step++) {
      const share = step / 14
      const x = skull.x + (withers.x - 0.06 - skull.x) * share - 0.05
      const y = skull.y - neck * 0.62 + (withers.y - skull.y + neck * 0.45) * share
      context.beginPath()
      context.moveTo(x + 0.03, y)
      context.quadraticCurveTo(x - 0.02, y + 0.05, x - 0.05, y + 0.15 + 0.03 * Math.sin(step * 2.4))
      context.stroke()
    }
  }
  context.strokeStyle = css(light.rim, 0.4)
  context.lineWidth = 0.016
  context.lineCap = 'round'
  context.beginPath()
  context.moveTo(-half * 0.9, top + 0.05)
  context.bezierCurveTo(-half * 0.5, top - 0.03, -half * 0.1, top + 0.04, half * 0.42, top + 0.012)
  context.stroke()
}

function drawLeg(
  context: SKRSContext2D,
  kind: Species,
  hip: Point,
  turn: number,
  end: 'hind' | 'fore',
  coat: Rgb,
  dark: Rgb,
): void {
  const stride = kind.leg * 0.36
  const lift = Math.max(0, Math.sin(turn)) * kind.leg * 0.2
  const foot = { x: hip.x + Math.cos(turn) * stride + (end === 'hind' ? -0.02 : 0), y: -lift }
  const width = kind.legWidth
  context.fillStyle = css(coat)
  if (end === 'fore') {
    const length = -hip.y
    const knee = jointOf(hip, foot, length * 0.54, length * 0.52, 1)
    fillTaper(context, hip, width * 2.1, knee, width * 0.86)
    context.fillStyle = css(kind.isMarked || kind.mane ? dark : coat)
    fillTaper(context, knee, width * 0.86, { x: foot.x, y: foot.y - width * 0.6 }, width * 0.62)
    fillTaper(
      context,
      { x: foot.x, y: foot.y - width * 0.62 },
      width * 0.64,
      { x: foot.x + width * 0.9, y: foot.y - width * 0.42 },
      width * 0.44,
    )
    return
  }
  const push = Math.cos(turn) * -0.04
  const hock = { x: foot.x - 0.1 - push - lift * 0.5, y: foot.y - kind.leg * 0.36 }
  const knee = jointOf(
    hip,
    hock,
    Math.hypot(hock.x - hip.x, hock.y - hip.y) * 0.56,
    Math.hypot(hock.x - hip.x, hock.y - hip.y) * 0.56,
    1,
  )
  fillTaper(context, hip, width * 2.9, knee, width * 1.5)
  fillTaper(context, knee, width * 1.5, hock, width * 0.82)
  context.fillStyle = css(kind.isMarked || kind.mane ? dark : coat)
  fillTaper(context, hock, width * 0.82, { x: foot.x, y: foot.y - width * 0.6 }, width * 0.6)
  fillTaper(
    context,
    { x: foot.x, y: foot.y - width * 0.62 },
    width * 0.62,
    { x: foot.x + width * 0.9, y: foot.y - width * 0.42 },
    width * 0.44,
  )
}

function drawTail(context: SKRSContext2D, kind: Species, rump: Point, turn: number): void {
  const sway = Math.sin(turn) * 0.06
  const along = (share: number, length: number, drop: number, curl: number): Point => ({
    x: rump.x - length * share * (1 - 0.12 * share),
    y: rump.y + drop * Math.sin(share * 1.9) * 0.9 - curl * share * share + sway * share,
  })
  const shapes = {
    brush: {
      length: 0.86,
      drop: 0.3,
      curl: 0.02,
      width: (s: number) => 0.045 + 0.105 * Math.sin(Math.min(1, s * 1.08) * Math.PI) ** 0.8,
    },
    whip: { length: 0.72, drop: 0.12, curl: 0.5, width: (s: number) => 0.05 - 0.012 * s },
    flag: { length: 0.46, drop: -0.04, curl: 0.3, width: (s: number) => 0.036 + 0.03 * Math.sin(s * 2.8) - 0.02 * s },
    hair: { length: 0.3, drop: 0.62, curl: -0.12, width: (s: number) => 0.05 + 0.035 * Math.sin(s * 2.6) },
    stub: { length: 0.12, drop: 0.06, curl: 0, width: () => 0.045 },
  } as const
  const shape = shapes[kind.tail]
  const steps = 14
  for (let step = 0; step < steps; step++) {
    const from = step / steps
    const to = (step + 1) / steps
    const isTip = kind.tail === 'brush' && from > 0.72
    const colour = isTip ? kind.light : kind.tail === 'hair' ? kind.dark : scaleRgb(kind.coat, 0.92)
    context.fillStyle = css(colour)
    fillTaper(
      context,
      along(from, shape.length, shape.drop, shape.curl),
      Math.max(0.012, shape.width(from)),
      along(to, shape.length, shape.drop, shape.curl),
      Math.max(0.012, shape.width(to)),
    )
  }
}

function drawHead(context: SKRSContext2D, kind: Species, { skull }: Pose, turn: number): void {
  const { length, depth, muzzle } = kind.head
  const flick = Math.sin(turn * 3) > 0.93 ? 0.04 : 0
  const nose = kind.mane
    ? { x: skull.x + length * 0.66, y: skull.y + length * 0.56 }
    : { x: skull.x + length * 0.78, y: skull.y + depth * (length > 0.35 ? 0.66 : 0.4) }
  drawEar(context, kind, { x: skull.x - depth * 0.1, y: skull.y }, scaleRgb(kind.coat, 0.66), 0)
  if (kind.antlers) drawAntlers(context, kind, skull)
  context.fillStyle = css(kind.coat)
  fillTaper(context, skull, depth, nose, muzzle)
  if (kind.isMarked) {
    // Cheek and lower jaw in the light colour, inside the head's outline.
    context.fillStyle = css(kind.light)
    traceSmooth(context, [
      { x: nose.x + muzzle * 0.4, y: nose.y + muzzle * 0.1 },
      { x: nose.x - length * 0.1, y: nose.y + muzzle * 1.1 },
      { x: skull.x + depth * 0.25, y: skull.y + depth * 1.04 },
      { x: skull.x - depth * 0.35, y: skull.y + depth * 1.15 },
      { x: skull.x + depth * 0.1, y: skull.y + depth * 0.4 },
      { x: skull.x + length * 0.4, y: skull.y + depth * 0.42 },
    ])
    context.fill()
  }
  drawEar(context, kind, { x: skull.x + depth * 0.2, y: skull.y }, kind.coat, flick)
  context.fillStyle = '#140f10'
  context.beginPath()
  context.ellipse(nose.x + muzzle * 0.75, nose.y - muzzle * 0.3, muzzle * 0.5, muzzle * 0.42, 0.4, 0, Math.PI * 2)
  context.fill()
  context.beginPath()
  context.ellipse(skull.x + length * 0.3, skull.y + depth * 0.02, depth * 0.14, depth * 0.12, 0.35, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = 'rgba(255,255,255,0.85)'
  context.beginPath()
  context.arc(skull.x + length * 0.31, skull.y - depth * 0.03, depth * 0.04, 0, Math.PI * 2)
  context.fill()
}

function drawEar(context: SKRSContext2D, kind: Species, at: Point, colour: Rgb, flick: number): void {
  const { depth } = kind.head
  const triangle = (height: number, lean: number, width: number, fill: Rgb): void => {
    context.fillStyle = css(fill)
    context.beginPath()
    context.moveTo(at.x - depth * width, at.y - depth * 0.55)
    context.quadraticCurveTo(
      at.x - depth * (width * 0.8 + lean * 0.5),
      at.y - depth * height * 0.8,
      at.x - depth * (lean + flick * 4),
      at.y - depth * height,
    )
    context.quadraticCurveTo(at.x + depth * width * 0.75, at.y - depth * height * 0.7, at.x + depth * width, at.y - depth * 0.55)
    context.fill()
  }
  switch (kind.ears) {
    case 'pointed':
      triangle(kind.tail === 'whip' ? 1.75 : 2.25, 0.12, 0.5, colour)
      if (kind.tail === 'brush') {
        context.save()
        context.clip()
        context.fillStyle = css(kind.dark)
        context.fillRect(at.x - depth * 2, at.y - depth * 2.4, depth * 4, depth * 0.8)
        context.restore()
      }
      return
    case 'leaf':
      triangle(2, 0.5, 0.26, colour)
      return
    case 'round':
      context.fillStyle = css(colour)
      context.beginPath()
      context.arc(at.x - depth * 0.3, at.y - depth * 0.88, depth * 0.36, 0, Math.PI * 2)
      context.fill()
      return
    case 'hanging':
      context.fillStyle = css(scaleRgb(colour, 0.78))
      traceSmooth(context, [
        { x: at.x - depth * 0.5, y: at.y - depth * 0.95 },
        { x: at.x + depth * 0.25, y: at.y - depth * 0.85 },
        { x: at.x + depth * 0.2, y: at.y + depth * 0.5 },
        { x: at.x - depth * 0.35, y: at.y + depth * 0.95 },
        { x: at.x - depth * 0.75, y: at.y + depth * 0.2 },
      ])
      context.fill()
  }
}

function drawAntlers(context: SKRSContext2D, kind: Species, skull: Point): void {
  context.strokeStyle = css(mixRgb(kind.dark, kind.light, 0.3))
  context.lineCap = 'round'
  for (const [shift, width] of [
    [-0.05, 0.022],
    [0.02, 0.028],
  ] as const) {
    const x = skull.x + shift
    const y = skull.y - kind.head.depth * 0.8
    context.lineWidth = width
    context.beginPath()
    context.moveTo(x, y)
    context.bezierCurveTo(x - 0.16, y - 0.16, x - 0.14, y - 0.34, x + 0.02, y - 0.46)
    for (const [fromX, fromY, toX, toY] of [
      [-0.085, -0.13, 0.06, -0.2],
      [-0.11, -0.24, 0.07, -0.33],
      [-0.08, -0.36, -0.17, -0.46],
    ] as const) {
      context.moveTo(x + fromX, y + fromY)
      context.lineTo(x + toX, y + toY)
    }
    context.stroke()
  }
}
