import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import type { Random } from '../../picture/random.ts'
import type { Painter, Stage } from '../stage.ts'
import { fillEllipse, fillRibbon } from '../subjects/brush.ts'
import { lightAt, appearanceIn } from '../subjects/light.ts'

/**
 * Paints boughs in blossom that stir in the wind. They reach into the frame from an upper corner,
 * away from the sun.
 */
export function paintBough(stage: Stage): Painter {
  const { geometry, compositor, sun, brief } = stage
  const { unit, width } = geometry
  const random = stage.random('bough')
  const side = sun.x > width / 2 ? 1 : -1
  const light = lightAt(stage, { x: width / 2, y: unit * 0.2 }, 0)
  const applyLight = (color: Rgb): Rgb => appearanceIn(light, color, 0.45)
  const pink = brief.colors[0] ?? hex('#f6b6cc')
  const tones = [pink, mixRgb(pink, [255, 255, 255], 0.5), scaleRgb(pink, 0.86)].map(applyLight)
  const bark = applyLight(hex('#4a3530'))
  const layer = compositor.layer(unit * 1.0, unit * 0.62, (context, w) => {
    context.translate(side > 0 ? 0 : w, 0)
    context.scale(side * unit, unit)
    const buds: { x: number; y: number }[] = []
    for (const [y, reach, sag] of [
      [0.02, 0.8, 0.2],
      [0.14, 0.6, 0.24],
      [-0.04, 0.52, 0.08],
    ] as const)
      growBough(context, { y, reach, sag }, bark, random, buds)
    // The lit clusters are in front of the shaded ones.
    for (const { isLit, shift } of [
      { isLit: false, shift: 0.012 },
      { isLit: true, shift: 0 },
    ])
      for (const bud of buds) drawCluster(context, { x: bud.x, y: bud.y + shift }, tones, isLit, random)
  })
  return (moment) => {
    const sway = Math.sin(moment.seconds * 0.8) * unit * 0.004
    const zoom = stage.zoom(0.3, moment)
    const x =
      side > 0
        ? -unit * 0.04 - stage.pan(0.3, moment) + sway
        : width - layer.width * zoom + unit * 0.04 - stage.pan(0.3, moment) + sway
    compositor.drawLayer(layer, {
      x,
      y: -unit * 0.05 - (zoom - 1) * unit * 0.3 + Math.sin(moment.seconds * 1.1 + 1) * unit * 0.002,
      scale: zoom,
    })
  }
}

/** Draws a bough without its blossoms, and adds their positions to `buds`. */
function growBough(
  context: SKRSContext2D,
  { y, reach, sag }: { y: number; reach: number; sag: number },
  bark: Rgb,
  random: Random,
  buds: { x: number; y: number }[],
): void {
  const pointAt = (share: number): { x: number; y: number } => ({
    x: -0.04 + reach * share,
    y: y + sag * share ** 1.6 + 0.012 * Math.sin(share * 9),
  })
  context.fillStyle = css(bark)
  fillRibbon(
    context,
    Array.from({ length: 7 }, (_, index) => ({ ...pointAt(index / 6), r: 0.016 * (1 - index / 6) + 0.003 })),
  )
  for (let twig = 0; twig < 11; twig++) {
    const share = 0.14 + 0.86 * (twig / 10)
    const from = pointAt(share)
    const angle = (random() - 0.42) * 2.2
    const length = (0.06 + 0.1 * random()) * (1.15 - share * 0.5)
    const tip = { x: from.x + Math.cos(angle) * length, y: from.y + Math.sin(angle) * length + 0.02 }
    context.fillStyle = css(bark)
    fillRibbon(context, [
      { ...from, r: 0.006 },
      { x: (from.x + tip.x) / 2, y: (from.y + tip.y) / 2 - 0.008, r: 0.004 },
      { ...tip, r: 0.002 },
    ])
    for (let bud = 0; bud < 4; bud++) {
      const twigShare = 0.35 + 0.65 * random()
      buds.push({
        x: from.x + (tip.x - from.x) * twigShare + (random() - 0.5) * 0.03,
        y: from.y + (tip.y - from.y) * twigShare + (random() - 0.5) * 0.03,
      })
    }
  }
}

/** Draws a cluster of five-petaled blossoms. */
function drawCluster(
  context: SKRSContext2D,
  { x, y }: { x: number; y: number },
  tones: readonly Rgb[],
  isLit: boolean,
  random: Random,
): void {
  for (let flower = 0; flower < 3; flower++) {
    const [cx, cy] = [x + (random() - 0.5) * 0.036, y + (random() - 0.5) * 0.03]
    const size = 0.0085 + 0.005 * random()
    const tone = tones[Math.floor(random() * tones.length)] ?? [250, 200, 215]
    const turn = random() * 6.28
    context.fillStyle = css(isLit ? tone : scaleRgb(tone, 0.74), 0.96)
    for (let petal = 0; petal < 5; petal++) {
      const angle = turn + (petal / 5) * Math.PI * 2
      fillEllipse(context, cx + Math.cos(angle) * size * 0.9, cy + Math.sin(angle) * size * 0.8, size * 0.72, size * 0.56, angle)
    }
    if (!isLit) continue
    context.fillStyle = css(mixRgb(tone, [200, 60, 100], 0.45))
    fillEllipse(context, cx, cy, size * 0.3)
  }
}
