import type { Painter, Stage } from '../stage.ts'

/** Paints a large disc from yellow to violet, with slits that widen toward its lower edge. */
export function paintNeonSun(stage: Stage): Painter {
  const { geometry, compositor, sun, horizon } = stage
  const radius = geometry.unit * 0.15
  const size = radius * 2 + stage.toPixels(8)
  const layer = compositor.layer(
    size,
    size,
    (context, width, height) => {
      const fill = context.createLinearGradient(0, height / 2 - radius, 0, height / 2 + radius)
      for (const [position, color] of [
        [0, '#f4b848'],
        [0.4, '#f0603c'],
        [0.75, '#dc2490'],
        [1, '#8018a4'],
      ] as const) {
        fill.addColorStop(position, color)
      }
      context.fillStyle = fill
      context.beginPath()
      context.arc(width / 2, height / 2, radius, 0, Math.PI * 2)
      context.fill()
      for (let slit = 0; slit < 7; slit++) {
        const y = height / 2 + radius * (0.02 + slit * 0.145)
        context.clearRect(0, y, width, radius * (0.03 + slit * 0.013))
      }
    },
    { isFinal: true },
  )
  const y = Math.min(sun.y, horizon - radius * 0.62)
  return (moment) => stage.drawAt(layer, { x: sun.x - layer.width / 2, y: y - layer.height / 2, depth: 0.01 }, moment)
}
