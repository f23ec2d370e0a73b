import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'

export interface Coral {
  x: number
  /** Vertical position of the foot. */
  y: number
  size: number
  color: Rgb
  /** Color toward which the dark side shifts, as seen through the water. */
  darkColor: Rgb
  /** Color toward which the bright side shifts, as seen through the water. */
  light: Rgb
}

type DrawCoral = (context: SKRSContext2D, coral: Coral, random: Random) => void

const kinds: readonly DrawCoral[] = [drawBranches, drawBranches, drawFan, drawDome, drawTubes, drawTable]

export function drawCoral(context: SKRSContext2D, coral: Coral, random: Random): void {
  const draw = kinds[Math.floor(random() * kinds.length)] ?? drawBranches
  context.lineCap = 'round'
  draw(context, coral, random)
}

function drawBranches(context: SKRSContext2D, { x, y, size, color, darkColor, light }: Coral, random: Random): void {
  const grow = (fromX: number, fromY: number, angle: number, length: number, width: number, level: number): void => {
    const [tipX, tipY] = [fromX + Math.sin(angle) * length, fromY - Math.cos(angle) * length]
    context.strokeStyle = css(mixRgb(mixRgb(color, darkColor, 0.5), mixRgb(color, light, 0.3), level / 4))
    context.lineWidth = Math.max(0.7, width)
    context.beginPath()
    context.moveTo(fromX, fromY)
    context.quadraticCurveTo(fromX + Math.sin(angle) * length * 0.4, fromY - length * 0.6, tipX, tipY)
    context.stroke()
    if (level === 4 || width < 0.5) return
    for (const side of [-1, 1])
      grow(tipX, tipY, angle + side * (0.25 + 0.35 * random()), length * (0.66 + 0.2 * random()), width * 0.74, level + 1)
  }
  grow(x, y + size * 0.05, (random() - 0.5) * 0.3, size * 0.3, size * 0.085, 0)
}

/** Draws a net of fine twigs in one plane. */
function drawFan(context: SKRSContext2D, { x, y, size, color, darkColor, light }: Coral, random: Random): void {
  const ribs = 15
  for (let rib = 0; rib < ribs; rib++) {
    const angle = ((rib / (ribs - 1)) * 2 - 1) * 1.15
    const length = size * (0.75 + 0.25 * random()) * (1 - Math.abs(angle) * 0.18)
    context.strokeStyle = css(mixRgb(mixRgb(color, darkColor, 0.35), mixRgb(color, light, 0.25), random()))
    context.lineWidth = Math.max(0.6, size * 0.018)
    const [tipX, tipY] = [x + Math.sin(angle) * length, y - Math.cos(angle) * length]
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(x + Math.sin(angle) * length * 0.3, y - length * 0.5, tipX, tipY)
    for (let twig = 1; twig < 6; twig++) {
      const pathShare = 0.3 + twig * 0.12
      const [rootX, rootY] = [x + Math.sin(angle) * length * pathShare * 0.94, y - Math.cos(angle) * length * pathShare * 1.02]
      context.moveTo(rootX, rootY)
      context.lineTo(rootX + size * 0.06 * (twig % 2 ? 1 : -1), rootY - size * 0.09)
    }
    context.stroke()
  }
}

/** Draws a round stony coral with winding furrows. */
function drawDome(context: SKRSContext2D, { x, y, size, color, darkColor, light }: Coral, random: Random): void {
  const [width, height] = [size * 0.5, size * 0.42]
  const fill = context.createRadialGradient(x - width * 0.2, y - height * 0.8, 0, x, y - height * 0.3, width * 1.2)
  fill.addColorStop(0, css(mixRgb(color, light, 0.4)))
  fill.addColorStop(1, css(mixRgb(color, darkColor, 0.6)))
  context.fillStyle = fill
  context.beginPath()
  context.ellipse(x, y, width, height, 0, Math.PI, 0)
  context.fill()
  context.strokeStyle = css(mixRgb(color, darkColor, 0.55), 0.6)
  context.lineWidth = Math.max(0.6, size * 0.016)
  context.beginPath()
  for (let furrow = 0; furrow < 16; furrow++) {
    const angle = Math.PI * (1.06 + 0.88 * random())
    const length = 0.25 + 0.65 * random()
    const [fromX, fromY] = [x + Math.cos(angle) * width * length, y + Math.sin(angle) * height * length]
    context.moveTo(fromX, fromY)
    context.bezierCurveTo(
      fromX + size * 0.05,
      fromY - size * 0.03,
      fromX + size * 0.04,
      fromY + size * 0.05,
      fromX + size * 0.1 * (random() + 0.3),
      fromY + size * 0.02,
    )
  }
  context.stroke()
}

/** Draws a cluster of tubes that are open at the top. */
function drawTubes(context: SKRSContext2D, { x, y, size, color, darkColor, light }: Coral, random: Random): void {
  const tubes = 4 + Math.floor(random() * 4)
  for (let tube = 0; tube < tubes; tube++) {
    const drawX = x + ((tube + 0.5) / tubes - 0.5) * size * 0.7
    const height = size * (0.4 + 0.5 * random())
    const width = size * (0.06 + 0.035 * random())
    const lean = (drawX - x) * 0.3
    const fill = context.createLinearGradient(drawX - width, 0, drawX + width, 0)
    fill.addColorStop(0, css(mixRgb(color, darkColor, 0.55)))
    fill.addColorStop(0.6, css(color))
    fill.addColorStop(1, css(mixRgb(color, light, 0.4)))
    context.fillStyle = fill
    context.beginPath()
    context.moveTo(drawX - width * 0.7, y)
    context.lineTo(drawX + lean - width, y - height)
    context.lineTo(drawX + lean + width, y - height)
    context.lineTo(drawX + width * 0.7, y)
    context.fill()
    context.fillStyle = css(mixRgb(scaleRgb(color, 0.4), darkColor, 0.4))
    context.beginPath()
    context.ellipse(drawX + lean, y - height, width, width * 0.4, 0, 0, Math.PI * 2)
    context.fill()
  }
}

/** Draws a flat plate on a short foot. */
function drawTable(context: SKRSContext2D, { x, y, size, color, darkColor, light }: Coral, random: Random): void {
  context.fillStyle = css(mixRgb(color, darkColor, 0.65))
  context.beginPath()
  context.moveTo(x - size * 0.08, y)
  context.lineTo(x - size * 0.3, y - size * 0.34)
  context.lineTo(x + size * 0.3, y - size * 0.34)
  context.lineTo(x + size * 0.08, y)
  context.fill()
  context.fillStyle = css(mixRgb(color, light, 0.3))
  context.beginPath()
  context.ellipse(x, y - size * 0.36, size * 0.56, size * 0.09, 0, 0, Math.PI * 2)
  context.fill()
  context.strokeStyle = css(mixRgb(color, darkColor, 0.3))
  context.lineWidth = Math.max(0.6, size * 0.02)
  context.beginPath()
  for (let twig = 0; twig < 26; twig++) {
    const drawX = x + (random() * 2 - 1) * size * 0.5
    context.moveTo(drawX, y - size * 0.36)
    context.lineTo(drawX + (random() - 0.5) * size * 0.04, y - size * (0.42 + 0.05 * random()))
  }
  context.stroke()
}

/** Draws ribbons of kelp that rise from one foot. */
export function drawKelp(context: SKRSContext2D, { x, y, size, color, darkColor, light }: Coral, random: Random): void {
  for (let ribbon = 0; ribbon < 3; ribbon++) {
    const lean = (random() - 0.5) * size * 0.3
    const phase = random() * 6
    const pointAt = (pathShare: number): { x: number; y: number } => ({
      x: x + lean * pathShare + Math.sin(pathShare * 6 + phase) * size * 0.075 * pathShare,
      y: y - size * pathShare,
    })
    context.strokeStyle = css(mixRgb(color, darkColor, 0.45))
    context.lineWidth = Math.max(0.8, size * 0.012)
    context.beginPath()
    for (let step = 0; step <= 24; step++) {
      const point = pointAt(step / 24)
      if (step === 0) context.moveTo(point.x, point.y)
      else context.lineTo(point.x, point.y)
    }
    context.stroke()
    for (let blade = 2; blade < 24; blade++) {
      const root = pointAt(blade / 24)
      const side = blade % 2 ? 1 : -1
      const reach = size * 0.09 * (1.1 - blade / 30)
      context.fillStyle = css(mixRgb(mixRgb(color, darkColor, 0.4), mixRgb(color, light, 0.3), random()))
      context.beginPath()
      context.moveTo(root.x, root.y)
      context.quadraticCurveTo(
        root.x + side * reach * 0.7,
        root.y - reach * 0.7,
        root.x + side * reach * 1.2,
        root.y + reach * (random() - 0.6),
      )
      context.quadraticCurveTo(root.x + side * reach * 0.5, root.y + reach * 0.2, root.x, root.y)
      context.fill()
    }
  }
}
