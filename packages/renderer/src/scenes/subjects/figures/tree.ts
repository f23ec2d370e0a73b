import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { Model } from '../model.ts'
import { crowns } from '../../trees/season.ts'

const greens = ['#5c8a3c', '#4c7a44', '#6d9440', '#55803a'].map(hex)

/** A broad tree: boughs, and a crown of leaf clusters that catch the light from above. */
export const tree: Model = {
  height: 0.38,
  reach: { side: 0.62, up: 1.08, down: 0.04 },
  variantCount: 3,
  draw(figure, _phase, { color, season, variant, createRandom }) {
    const random = createRandom()
    const leaf = color ?? (season && crowns[season]) ?? greens[variant % greens.length] ?? [80, 120, 60]
    const bark = hex('#5a4434')
    const lean = (random() - 0.5) * 0.08
    const crown = { x: lean, y: -0.67, width: 0.36 + 0.08 * random(), height: 0.27 + 0.05 * random() }
    figure.part(
      (context) => {
        context.fillStyle = css(bark)
        fillRibbon(context, [
          { x: 0, y: -0.05, r: 0.045 },
          { x: 0, y: -0.14, r: 0.042 },
          { x: lean * 0.5, y: -0.36, r: 0.034 },
          { x: lean, y: -0.6, r: 0.02 },
        ])
        fillCurve(context, [
          [-0.12, 0.025],
          [-0.05, -0.02],
          [-0.042, -0.14],
          [0.042, -0.14],
          [0.055, -0.02],
          [0.13, 0.025],
          [0.03, 0.012],
          [-0.03, 0.02],
        ])
        for (const [x, y] of [
          [-0.24, -0.58],
          [0.25, -0.62],
          [-0.1, -0.8],
          [0.13, -0.84],
          [-0.3, -0.72],
          [0.32, -0.74],
        ] as const)
          fillRibbon(context, [
            { x: lean * 0.4, y: -0.3, r: 0.026 },
            { x: lean * 0.6 + x * 0.5, y: -0.3 + (y + 0.3) * 0.55, r: 0.016 },
            { x: lean + x, y, r: 0.006 },
          ])
      },
      { thickness: 0.08 },
    )
    const clusters = Array.from({ length: 150 }, () => {
      const angle = random() * 6.28
      const distance = Math.sqrt(random()) * (0.92 + 0.11 * Math.sin(angle * 3 + variant * 2))
      return {
        x: crown.x + Math.cos(angle) * crown.width * distance,
        y: crown.y + Math.sin(angle) * crown.height * distance,
        size: 0.05 + random() * 0.045,
        turn: random() * 3,
      }
    }).toSorted((a, b) => b.y - a.y)
    figure.part(
      (context) => {
        for (const [index, cluster] of clusters.entries()) {
          const heightShare = (crown.y - cluster.y) / crown.height
          context.fillStyle = css(leafColor(leaf, heightShare * 0.5 + 0.5, index))
          drawCluster(context, cluster)
        }
      },
      { thickness: 0.42 },
    )
  },
}

/**
 * Returns the color of a cluster, which is darker at the lower end of the crown. Every third
 * cluster is slightly lighter.
 */
function leafColor(leaf: Rgb, heightShare: number, index: number): Rgb {
  const varied = mixRgb(leaf, index % 3 === 0 ? scaleRgb(leaf, 1.16) : leaf, 0.8)
  return mixRgb(scaleRgb(varied, 0.56), mixRgb(varied, [255, 250, 214], 0.14), Math.max(0, Math.min(1, heightShare)))
}

/** Draws a tuft of leaves: a few small ellipses around one ellipse. */
function drawCluster(context: SKRSContext2D, { x, y, size, turn }: { x: number; y: number; size: number; turn: number }): void {
  fillEllipse(context, x, y, size * 0.8, size * 0.62, turn)
  for (let leaf = 0; leaf < 5; leaf++) {
    const angle = turn + leaf * 1.26
    fillEllipse(context, x + Math.cos(angle) * size * 0.72, y + Math.sin(angle) * size * 0.56, size * 0.32, size * 0.2, angle)
  }
}
