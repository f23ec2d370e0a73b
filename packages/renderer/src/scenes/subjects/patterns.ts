import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, type Rgb } from '../../picture/color.ts'
import { createRandom } from '../../picture/random.ts'
import { fillCurve, fillRibbon, type Pairs } from './brush.ts'
import type { Species } from './species.ts'

/** Draws marks on the coat, clipped to the parts of the animal that are drawn already. */
export function drawPattern(context: SKRSContext2D, animal: Species, shade: (color: Rgb) => Rgb, part: 'legs' | 'body'): void {
  const color = shade(animal.dark)
  context.save()
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = css(color)
  switch (animal.pattern) {
    case 'stripes':
      drawStripes(context, part, animal.foot === 'hoof')
      break
    case 'bars':
      context.fillStyle = css(color, 0.5)
      drawStripes(context, part, false)
      break
    case 'rosettes':
      drawRosettes(context, color, part)
      break
    case 'panda':
      drawPanda(context, part)
      break
    case 'patches':
      if (part === 'body') drawPatches(context)
      break
    case undefined:
  }
  context.restore()
}

/**
 * Draws bands that become thinner at both ends. On the body they run down the flanks, and on the
 * legs they are level.
 */
function drawStripes(context: SKRSContext2D, part: 'legs' | 'body', isBold: boolean): void {
  const random = createRandom(isBold ? 5 : 3)
  if (part === 'body') {
    const count = isBold ? 15 : 13
    for (let stripe = 0; stripe < count; stripe++) {
      const x = -0.6 + (stripe * 1.24) / count + (random() - 0.5) * 0.03
      const lean = isBold ? 0.09 * Math.sin(x * 2.6) : (random() - 0.5) * 0.08
      const length = isBold ? 0.46 : 0.22 + random() * 0.16
      const width = isBold ? 0.019 : 0.013 + random() * 0.008
      fillRibbon(context, [
        { x: x + lean, y: -1.06, r: width * 0.8 },
        { x: x + 0.01, y: -1.0 + length * 0.4, r: width * 1.15 },
        { x: x - lean * 0.6 + 0.03, y: -1.0 + length, r: 0.002 },
      ])
      if (isBold || stripe % 2 === 0) continue
      fillRibbon(context, [
        { x: x + 0.05, y: -0.46, r: width * 0.8 },
        { x: x + 0.045, y: -0.56, r: width },
        { x: x + 0.06, y: -0.66, r: 0.002 },
      ])
    }
    // Stripes on the neck and the tail.
    for (let stripe = 0; stripe < (isBold ? 7 : 3); stripe++) {
      const lengthShare = stripe / (isBold ? 7 : 3)
      const [x, y] = isBold ? [0.4 + lengthShare * 0.3, -1.06 - lengthShare * 0.42] : [0.52 + lengthShare * 0.1, -1.06]
      fillRibbon(context, [
        { x: x - 0.04, y: y - 0.06, r: 0.018 },
        { x: x + 0.06, y: y + 0.08, r: 0.019 },
        { x: x + 0.19, y: y + (isBold ? 0.16 : 0.2), r: 0.003 },
      ])
    }
    for (let band = 0; band < 7; band++) {
      context.beginPath()
      context.ellipse(-0.7 - band * 0.075, -0.8, 0.016, 0.2, 0.15, 0, Math.PI * 2)
      context.fill()
    }
  }
  for (let band = 0; band < 7; band++) {
    const y = -0.5 + band * 0.062
    for (const x of [-0.45, 0.42]) {
      context.beginPath()
      context.ellipse(x, y, 0.34, isBold ? 0.016 : 0.012, 0.06 * Math.sin(band * 2), 0, Math.PI * 2)
      context.fill()
    }
  }
}

function drawRosettes(context: SKRSContext2D, color: Rgb, part: 'legs' | 'body'): void {
  const random = createRandom(11)
  const spots = part === 'body' ? 190 : 60
  for (let spot = 0; spot < spots; spot++) {
    const x = -0.7 + random() * 1.62
    const y = part === 'body' ? -1.12 + random() * 0.78 : -0.5 + random() * 0.44
    const isOpen = y < -0.5 && Math.abs(x) < 0.55
    const size = isOpen ? 0.026 + random() * 0.012 : 0.011 + random() * 0.008
    if (isOpen) {
      context.strokeStyle = css(color)
      context.lineWidth = size * 0.62
      context.setLineDash([size * 1.7, size * 0.7])
      context.beginPath()
      context.ellipse(x, y, size, size * 0.82, random() * 3, 0, Math.PI * 2)
      context.stroke()
    } else {
      context.beginPath()
      context.ellipse(x, y, size, size * 0.8, random() * 3, 0, Math.PI * 2)
      context.fill()
    }
  }
  context.setLineDash([])
}

/** Draws black legs with a band over the shoulders. */
function drawPanda(context: SKRSContext2D, part: 'legs' | 'body'): void {
  if (part === 'legs') {
    context.fillRect(-2, -2, 4, 2.2)
    return
  }
  fillRibbon(context, [
    { x: 0.42, y: -1.2, r: 0.1 },
    { x: 0.44, y: -0.9, r: 0.13 },
    { x: 0.46, y: -0.55, r: 0.22 },
    { x: 0.46, y: -0.2, r: 0.34 },
    { x: 0.46, y: 0.1, r: 0.4 },
  ])
  fillRibbon(context, [
    { x: -0.5, y: -0.44, r: 0.16 },
    { x: -0.46, y: -0.2, r: 0.36 },
    { x: -0.46, y: 0.1, r: 0.42 },
  ])
}

/** Draws large patches on flank, shoulder and rump, like those of a cow. */
function drawPatches(context: SKRSContext2D): void {
  const patches: readonly Pairs[] = [
    [
      [-0.3, -1.06],
      [0.02, -1.08],
      [0.1, -0.86],
      [-0.04, -0.66],
      [-0.2, -0.62],
      [-0.32, -0.8],
    ],
    [
      [-0.7, -0.9],
      [-0.52, -0.96],
      [-0.44, -0.76],
      [-0.5, -0.52],
      [-0.7, -0.5],
    ],
    [
      [0.3, -0.98],
      [0.52, -1.14],
      [0.64, -1.02],
      [0.6, -0.76],
      [0.42, -0.66],
      [0.28, -0.76],
    ],
    [
      [0.12, -0.5],
      [0.24, -0.54],
      [0.3, -0.42],
      [0.16, -0.36],
    ],
  ]
  for (const patch of patches) fillCurve(context, patch)
}

/** Draws stripes over the back and flank of a sitting animal. */
export function drawSittingStripes(context: SKRSContext2D, { dark, pattern }: Species): void {
  context.save()
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = css(dark, pattern === 'bars' ? 0.5 : 1)
  for (let stripe = 0; stripe < 9; stripe++) {
    const share = stripe / 8
    const from = { x: 0.02 - share * 0.5, y: -1.08 + share * 0.9 }
    fillRibbon(context, [
      { x: from.x - 0.04, y: from.y - 0.02, r: 0.02 },
      { x: from.x + 0.1, y: from.y + 0.04, r: 0.019 },
      { x: from.x + 0.26, y: from.y + 0.12, r: 0.003 },
    ])
  }
  context.restore()
}
