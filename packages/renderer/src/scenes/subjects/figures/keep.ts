import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import type { Random } from '../../../picture/random.ts'
import { blend, fillCorners, fillEllipse } from '../brush.ts'
import type { Model } from '../model.ts'

/** A round tower of stone with battlements. */
export const keep: Model = {
  height: 0.48,
  reach: { side: 0.36, up: 1.12, down: 0.06 },
  cycle: { poseCount: 6, pace: 0.8 },
  draw(figure, phase, { color, isDark, createRandom }) {
    const stone = color ?? hex('#b8ab98')
    figure.part(
      (context) => {
        context.fillStyle = roundStone(context, 0.17, stone)
        fillCorners(context, [
          [-0.15, -0.8],
          [0.15, -0.8],
          [0.19, 0.01],
          [-0.19, 0.01],
        ])
        drawCourses(context, { halfWidth: 0.17, top: -0.8, stone, random: createRandom() })
      },
      { thickness: 0.16 },
    )
    figure.part(
      (context) => {
        context.fillStyle = roundStone(context, 0.2, scaleRgb(stone, 0.96))
        context.fillRect(-0.2, -0.93, 0.4, 0.14)
        for (let tooth = 0; tooth < 5; tooth++) context.fillRect(-0.2 + tooth * 0.085, -1, 0.058, 0.08)
        context.fillStyle = css(scaleRgb(stone, 0.55))
        for (let corbel = 0; corbel < 7; corbel++) context.fillRect(-0.19 + corbel * 0.058, -0.8, 0.026, 0.03)
        const wave = Math.sin(phase * Math.PI * 2) * 0.012
        context.fillStyle = css(hex('#6a4a34'))
        context.fillRect(-0.004, -1.1, 0.008, 0.14)
        context.fillStyle = css(hex('#b83a2e'))
        context.beginPath()
        context.moveTo(0, -1.1)
        context.quadraticCurveTo(0.06, -1.1 + wave, 0.13, -1.07 - wave)
        context.quadraticCurveTo(0.06, -1.04 + wave, 0, -1.03)
        context.fill()
      },
      { thickness: 0.12 },
    )
    figure.shine(isDark, (context) => {
      context.fillStyle = css(isDark ? hex('#ffc874') : scaleRgb(stone, 0.28))
      for (const [x, y] of [
        [-0.05, -0.66],
        [0.06, -0.46],
        [-0.03, -0.28],
      ] as const) {
        context.beginPath()
        context.roundRect(x - 0.016, y, 0.032, 0.075, [0.016, 0.016, 0, 0])
        context.fill()
      }
      context.beginPath()
      context.roundRect(-0.045, -0.13, 0.09, 0.135, [0.045, 0.045, 0, 0])
      context.fill()
    })
  },
}

/** A ruin: broken walls with ivy, an arch, and stones on the ground. */
export const ruin: Model = {
  height: 0.44,
  reach: { side: 0.86, up: 1.08, down: 0.1 },
  variantCount: 3,
  draw(figure, _phase, { color, createRandom, variant }) {
    const stone = color ?? hex('#a49a8c')
    const random = createRandom()
    const towers = [
      { x: -0.36, halfWidth: 0.16, top: -0.96 + 0.1 * random() },
      { x: 0.34, halfWidth: 0.13, top: -0.62 - 0.2 * random() },
    ]
    if (variant % 2) towers.reverse()
    figure.part(
      (context) => {
        // A wall with an arch. The sky is visible through the arch.
        context.fillStyle = blend(context, [0, -0.5], [0, 0], [scaleRgb(stone, 0.9), scaleRgb(stone, 0.66)])
        context.beginPath()
        context.moveTo(-0.36, 0.01)
        context.lineTo(-0.36, -0.44)
        for (const [x, y] of jaggedEdge(-0.36, 0.34, -0.42, random)) context.lineTo(x, y)
        context.lineTo(0.34, 0.01)
        context.lineTo(0.13, 0.01)
        context.lineTo(0.13, -0.16)
        context.quadraticCurveTo(0, -0.36, -0.13, -0.16)
        context.lineTo(-0.13, 0.01)
        context.fill()
      },
      { volume: 0.5, thickness: 0.08 },
    )
    for (const { x, halfWidth, top } of towers) {
      const broken = jaggedEdge(x - halfWidth, x + halfWidth, top, random)
      figure.part(
        (context) => {
          context.fillStyle = blend(
            context,
            [x - halfWidth, 0],
            [x + halfWidth, 0],
            [scaleRgb(stone, 0.94), mixRgb(stone, [255, 250, 240], 0.14), scaleRgb(stone, 0.6)],
          )
          fillCorners(context, [[x - halfWidth * 1.12, 0.02], ...broken, [x + halfWidth * 1.12, 0.02]])
          context.save()
          context.clip()
          context.translate(x, 0)
          drawCourses(context, { halfWidth: halfWidth * 1.1, top: top - 0.04, stone, random })
          context.fillStyle = css(scaleRgb(stone, 0.24))
          for (const [sideOffset, heightShare] of [
            [-0.3, 0.42],
            [0.2, 0.66],
          ] as const) {
            context.beginPath()
            context.roundRect(sideOffset * halfWidth - 0.022, top * heightShare, 0.044, 0.1, [0.022, 0.022, 0, 0])
            context.fill()
          }
          context.restore()
        },
        { thickness: 0.14 },
      )
      figure.part(
        (context) => {
          for (let leaf = 0; leaf < 70; leaf++) {
            const heightShare = random() ** 0.7
            const side = random() < 0.7 ? -1 : 1
            const leafX = x + side * halfWidth * (1.02 - 0.85 * random() * (1.1 - heightShare))
            const leafY = top * (0.86 - 0.84 * heightShare)
            context.fillStyle = css(mixRgb(hex('#2f5a2c'), hex('#7ba04a'), random()))
            fillEllipse(context, leafX, leafY, 0.022 + 0.016 * random(), 0.017, random() * 3)
          }
        },
        { volume: 0.8, thickness: 0.05 },
      )
    }
    figure.part(
      (context) => {
        for (let block = 0; block < 16; block++) {
          const x = (random() - 0.5) * 1.5
          const size = 0.03 + 0.05 * random()
          context.fillStyle = css(scaleRgb(stone, 0.62 + 0.4 * random()))
          context.save()
          context.translate(x, 0.02 + 0.03 * random())
          context.rotate((random() - 0.5) * 0.8)
          context.fillRect(-size, -size * 0.8, size * 2, size * 1.3)
          context.restore()
        }
      },
      { volume: 0.6, thickness: 0.06 },
    )
  },
}

/** Returns the jagged upper edge of a broken wall. */
function jaggedEdge(from: number, to: number, top: number, random: Random): (readonly [number, number])[] {
  const steps = 7
  const points: (readonly [number, number])[] = []
  for (let step = 0; step <= steps; step++) {
    const x = from + ((to - from) * step) / steps
    const y = top + (0.05 + 0.2 * random()) * Math.abs(top) * (step / steps) + 0.05 * random()
    points.push([x, y])
    if (step < steps) points.push([x + ((to - from) / steps) * 0.8, y + 0.012])
  }
  return points
}

/** Returns the shading of a round tower. */
function roundStone(context: SKRSContext2D, halfWidth: number, stone: Rgb): CanvasGradient {
  return blend(
    context,
    [-halfWidth, 0],
    [halfWidth, 0],
    [scaleRgb(stone, 0.92), mixRgb(stone, [255, 250, 240], 0.16), scaleRgb(stone, 0.58)],
  )
}

/** Draws the joints between the stones. */
function drawCourses(
  context: SKRSContext2D,
  { halfWidth, top, stone, random }: { halfWidth: number; top: number; stone: Rgb; random: Random },
): void {
  context.fillStyle = css(scaleRgb(stone, 0.56), 0.6)
  for (let y = top, row = 0; y < 0; y += 0.048, row++) {
    context.fillRect(-halfWidth, y, halfWidth * 2, 0.005)
    for (let x = -halfWidth + (row % 2) * 0.035; x < halfWidth; x += 0.07) context.fillRect(x + random() * 0.008, y, 0.005, 0.048)
  }
}
