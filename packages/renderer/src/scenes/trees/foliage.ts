import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import type { ForestLook } from '../forest/forest-look.ts'
import { placeSprite, type Sprites } from '../forest/sprites.ts'

/** A mass of leaves. */
export interface Mass {
  x: number
  y: number
  /** Radius in pixels. */
  radius: number
  /** Leaf size as a share of the radius. */
  leafShare: number
  /** Distance in meters. */
  z: number
  isDark?: boolean
}

/**
 * Draws a mass of leaves: dark leaves behind and below, and translucent flecks on the side of the
 * light, or snow on top.
 */
export function drawFoliage(
  context: SKRSContext2D,
  sprites: Sprites,
  look: ForestLook,
  { x, y, radius, leafShare, z, isDark = false }: Mass,
  random: Random,
): void {
  const sprite = sprites(isDark ? 'dark leaves' : 'leaves', z, random, (canvasContext, band) =>
    drawLeaves(canvasContext, look, { ...band, leafShare, isDark }),
  )
  placeSprite(context, sprite, { x, y, size: radius * 1.45 })
}

function drawLeaves(
  context: SKRSContext2D,
  look: ForestLook,
  { z, reach, random, leafShare, isDark }: { z: number; reach: number; random: Random; leafShare: number; isDark: boolean },
): void {
  const radius = reach / 1.45
  const size = Math.max(1.1, leafShare * radius)
  const count = Math.max(8, Math.min(220, Math.round((radius / size) ** 2 * 1.6)))
  const color = look.tone(isDark ? scaleRgb(look.leaf, 0.62) : look.leaf, isDark ? 0.12 : 0.3, z)
  const litColor = look.tone(look.leafLit, isDark ? 0.55 : 0.85, z)
  const snow: Rgb | undefined = look.isWinter ? look.tone(look.snow, 0.7, z) : undefined
  const isNarrow = look.kind === 'bamboo'
  for (const [tone, shiftX, shiftY, spread, countShare] of [
    [scaleRgb(color, 0.6), 0, 0.16, 1, 1],
    [color, look.facing * 0.08, -0.04, 0.94, 0.9],
    [mixRgb(color, litColor, 0.55), look.facing * 0.2, -0.22, 0.8, 0.5],
    [snow ?? litColor, look.facing * (snow ? 0 : 0.3), snow ? -0.5 : -0.34, 0.7, snow ? 0.6 : 0.22],
  ] as const) {
    context.fillStyle = css(tone)
    context.beginPath()
    for (let index = 0; index < count * countShare; index++) {
      const angle = random() * Math.PI * 2
      const distance = Math.sqrt(random()) * radius * spread
      const [leafX, leafY] = [
        Math.cos(angle) * distance * 1.22 + shiftX * radius,
        Math.sin(angle) * distance * 0.74 + shiftY * radius,
      ]
      const length = size * (0.6 + 0.8 * random())
      const turn = isNarrow ? Math.PI / 2 + (random() - 0.5) * 1.4 : random() * Math.PI
      context.moveTo(leafX + length * Math.cos(turn), leafY + length * Math.sin(turn))
      context.ellipse(leafX, leafY, length, length * (isNarrow ? 0.2 : 0.62), turn, 0, Math.PI * 2)
    }
    context.fill()
  }
}

/** Step in radians to which slopes are rounded, so that similar boughs share their sprites. */
const slopeStep = 0.1

/**
 * Draws a bough of `reach` pixels with its root at `x`, `y`. `slope` is in radians, downward. The
 * needles hang down and point outward, and in winter snow lies on the bough.
 */
export function drawNeedles(
  context: SKRSContext2D,
  sprites: Sprites,
  look: ForestLook,
  { x, y, reach, slope, side, z }: { x: number; y: number; reach: number; slope: number; side: 1 | -1; z: number },
  random: Random,
): void {
  const slopeSteps = Math.round(slope / slopeStep)
  const sprite = sprites(`needles ${slopeSteps}`, z, random, (canvasContext, band) => {
    canvasContext.rotate(slopeSteps * slopeStep)
    drawBough(canvasContext, look, band)
  })
  placeSprite(context, sprite, {
    x: x + side * reach * 0.5 * Math.cos(slope),
    y: y + reach * 0.5 * Math.sin(slope),
    size: reach * 0.62,
    flip: side,
  })
}

function drawBough(
  context: SKRSContext2D,
  look: ForestLook,
  { z, reach, random }: { z: number; reach: number; random: Random },
): void {
  const [root, tip] = [-reach * 0.8, reach * 0.84]
  const color = look.tone(look.leaf, 0.3, z)
  const litColor = look.tone(look.leafLit, 0.8, z)
  const pointAt = (pathShare: number): { x: number; y: number } => ({
    x: root + (tip - root) * pathShare,
    y: -reach * 0.16 * Math.sin(Math.PI * pathShare * 0.8),
  })
  const drop = reach * 0.5
  context.lineCap = 'round'
  const count = Math.round(Math.min(150, 16 + reach * 0.9))
  for (const [tone, countShare, lift] of [
    [scaleRgb(color, 0.6), 1, 0.14],
    [color, 0.9, 0],
    [mixRgb(color, litColor, 0.45), 0.5, -0.14],
  ] as const) {
    context.strokeStyle = css(tone)
    context.lineWidth = Math.max(0.8, reach * 0.02)
    context.beginPath()
    for (let needle = 0; needle < count * countShare; needle++) {
      const pathShare = 0.04 + 0.96 * random()
      const from = pointAt(pathShare)
      const length = drop * (0.4 + 0.6 * random()) * (1.15 - 0.7 * pathShare)
      const distance = length * (0.15 + 0.5 * random())
      context.moveTo(from.x, from.y + lift * drop * 0.4)
      context.quadraticCurveTo(
        from.x + distance * 0.6,
        from.y + length * 0.25,
        from.x + distance,
        from.y + length + lift * drop * 0.2,
      )
    }
    context.stroke()
  }
  context.strokeStyle = css(scaleRgb(color, 0.5))
  context.lineWidth = Math.max(1, reach * 0.03)
  context.beginPath()
  for (let step = 0; step <= 8; step++) {
    const point = pointAt(0.06 + 0.9 * (step / 8))
    if (step === 0) context.moveTo(point.x, point.y)
    else context.lineTo(point.x, point.y)
  }
  context.stroke()
  if (!look.isWinter) return
  // The snow lies in cushions along the bough and is thinner toward the tip.
  for (let cushion = 0; cushion < 26; cushion++) {
    const pathShare = 0.06 + 0.92 * random()
    const { x, y } = pointAt(pathShare)
    const size = reach * (0.07 - 0.045 * pathShare) * (0.6 + 0.8 * random())
    context.fillStyle = css(look.tone(scaleRgb(look.snow, 0.86 + 0.14 * random()), 0.5 + 0.4 * random(), z))
    context.beginPath()
    context.ellipse(x, y - size * 0.3 + drop * 0.2 * random() * random(), size * 1.7, size * 0.75, 0.12, 0, Math.PI * 2)
    context.fill()
  }
}
