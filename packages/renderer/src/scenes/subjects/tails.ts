import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mixRgb, scaleRgb } from '../../picture/color.ts'
import { fillRibbon, type Station } from './brush.ts'
import type { Pose } from './pose.ts'
import type { Species } from './species.ts'

/** Stations of each tail, as offsets from its root and half widths. */
const tailShapes: Record<Species['tail'], readonly (readonly [number, number, number])[]> = {
  brush: [
    [0.06, 0.06, 0.05],
    [-0.12, 0.1, 0.065],
    [-0.34, 0.19, 0.115],
    [-0.58, 0.24, 0.12],
    [-0.78, 0.2, 0.07],
    [-0.88, 0.15, 0.012],
  ],
  drooping: [
    [0.06, 0.04, 0.055],
    [-0.09, 0.1, 0.065],
    [-0.17, 0.26, 0.095],
    [-0.21, 0.44, 0.085],
    [-0.24, 0.58, 0.02],
  ],
  whip: [
    [0.08, 0.06, 0.055],
    [-0.12, 0.06, 0.045],
    [-0.34, 0.14, 0.04],
    [-0.54, 0.06, 0.038],
    [-0.64, -0.14, 0.036],
    [-0.6, -0.28, 0.03],
  ],
  tuft: [
    [0.06, 0.04, 0.05],
    [-0.08, 0.12, 0.034],
    [-0.17, 0.32, 0.026],
    [-0.26, 0.48, 0.024],
    [-0.36, 0.54, 0.024],
  ],
  flag: [
    [0.08, 0.06, 0.05],
    [-0.06, -0.06, 0.05],
    [-0.2, -0.2, 0.062],
    [-0.3, -0.36, 0.055],
    [-0.28, -0.48, 0.012],
  ],
  hair: [
    [0.06, 0.03, 0.045],
    [-0.07, 0.06, 0.06],
    [-0.15, 0.26, 0.085],
    [-0.19, 0.48, 0.075],
    [-0.24, 0.68, 0.015],
  ],
  stub: [
    [0.05, 0.0, 0.05],
    [-0.05, 0.04, 0.045],
    [-0.08, 0.1, 0.015],
  ],
}

export function drawTail(context: SKRSContext2D, animal: Species, { phase, bob, pitch }: Pose): void {
  const { tail, build, coat, dark, light } = animal
  const swing = Math.sin(phase * Math.PI * 2)
  const stations = tailShapes[tail].map(([dx, dy, r], index, all): Station => {
    const lengthShare = index / (all.length - 1)
    return {
      x: build.tail.x + dx + swing * lengthShare * lengthShare * (tail === 'flag' ? 0.06 : 0.04),
      y: build.tail.y + dy + bob + pitch * build.tail.x + Math.cos(phase * Math.PI * 2 + lengthShare) * lengthShare * 0.035,
      r,
    }
  })
  const isHair = tail === 'hair'
  context.fillStyle = css(isHair ? dark : mixRgb(coat, dark, tail === 'drooping' ? 0.3 : 0.08))
  fillRibbon(context, stations)
  const tip = stations.at(-1)
  if (!tip) return
  if (tail === 'brush') {
    // The pale tip stays inside the tail's outline.
    context.save()
    context.globalCompositeOperation = 'source-atop'
    context.fillStyle = css(light)
    context.beginPath()
    context.ellipse(tip.x + 0.05, tip.y + 0.02, 0.17, 0.2, 0.3, 0, Math.PI * 2)
    context.fill()
    context.restore()
  }
  if (tail === 'tuft') {
    context.fillStyle = css(dark)
    fillRibbon(context, [
      { x: tip.x + 0.03, y: tip.y - 0.02, r: 0.024 },
      { x: tip.x - 0.03, y: tip.y + 0.03, r: 0.06 },
      { x: tip.x - 0.09, y: tip.y + 0.09, r: 0.01 },
    ])
  }
  if (!isHair) return
  // A few lighter strands.
  context.lineCap = 'round'
  for (let strand = 0; strand < 5; strand++) {
    context.strokeStyle = css(mixRgb(scaleRgb(dark, 1.2), light, 0.12 + 0.06 * (strand % 3)), 0.7)
    context.lineWidth = 0.012
    context.beginPath()
    for (const [index, { x, y, r }] of stations.entries()) {
      const strandX = x + (strand / 4 - 0.5) * r * 1.3
      if (index === 0) context.moveTo(strandX, y)
      else context.lineTo(strandX, y)
    }
    context.stroke()
  }
}
