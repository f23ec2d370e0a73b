import type { Compositor } from '../picture/compositor.ts'

const text = 'FRAMEGATE'

/** Letters as strokes in a box of height 1, y down: a machine may have no fonts at all. Each has its width and its lines. */
const letters: Record<string, { width: number; lines: readonly (readonly number[])[] }> = {
  F: {
    width: 0.58,
    lines: [
      [0, 1, 0, 0, 0.58, 0],
      [0, 0.48, 0.46, 0.48],
    ],
  },
  R: {
    width: 0.62,
    lines: [
      [0, 1, 0, 0, 0.42, 0, 0.6, 0.12, 0.6, 0.4, 0.42, 0.53, 0, 0.53],
      [0.34, 0.53, 0.62, 1],
    ],
  },
  A: {
    width: 0.76,
    lines: [
      [0, 1, 0.38, 0, 0.76, 1],
      [0.14, 0.66, 0.62, 0.66],
    ],
  },
  M: { width: 0.84, lines: [[0, 1, 0, 0, 0.42, 0.66, 0.84, 0, 0.84, 1]] },
  E: {
    width: 0.58,
    lines: [
      [0.58, 0, 0, 0, 0, 1, 0.58, 1],
      [0, 0.48, 0.48, 0.48],
    ],
  },
  G: { width: 0.72, lines: [[0.7, 0.16, 0.52, 0, 0.2, 0, 0, 0.2, 0, 0.8, 0.2, 1, 0.52, 1, 0.72, 0.82, 0.72, 0.54, 0.42, 0.54]] },
  T: {
    width: 0.66,
    lines: [
      [0, 0, 0.66, 0],
      [0.33, 0, 0.33, 1],
    ],
  },
}

const spacing = 0.36

/** A small mark at the bottom right, light with a dark outline so that it reads on any picture. Returns its painter. */
export function createWatermark(compositor: Compositor): () => void {
  const { width, height, unit } = compositor.geometry
  const textWidth = Array.from(text).reduce((sum, letter) => sum + (letters[letter]?.width ?? 0) + spacing, -spacing)
  const capHeight = Math.min(Math.max(10, unit * 0.021), (width * 0.5) / textWidth)
  const pad = capHeight * 0.5
  const layer = compositor.layer(textWidth * capHeight + pad * 2, capHeight + pad * 2, (context) => {
    context.translate(pad, pad)
    context.scale(capHeight, capHeight)
    context.lineJoin = 'round'
    context.lineCap = 'round'
    for (const [lineWidth, colour] of [
      [0.36, 'rgba(8,10,18,0.44)'],
      [0.145, 'rgba(255,255,255,0.86)'],
    ] as const) {
      context.lineWidth = lineWidth
      context.strokeStyle = colour
      context.beginPath()
      let left = 0
      for (const letter of text) {
        const shape = letters[letter]
        for (const line of shape?.lines ?? []) {
          for (let index = 0; index + 1 < line.length; index += 2) {
            const x = left + (line[index] ?? 0)
            const y = line[index + 1] ?? 0
            if (index === 0) context.moveTo(x, y)
            else context.lineTo(x, y)
          }
        }
        left += (shape?.width ?? 0) + spacing
      }
      context.stroke()
    }
  })
  const margin = Math.round(unit * 0.018)
  const x = Math.max(0, Math.floor((width - layer.width - margin) / 2) * 2)
  const y = Math.max(0, Math.floor((height - layer.height - margin) / 2) * 2)
  return () => compositor.drawLayer(layer, { x, y, scale: 1 })
}
