const sidePixels = 18

/** An aspect ratio as a small rectangle above its name. */
export function RatioShape({ ratio }: { ratio: string }) {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  const scale = sidePixels / Math.max(width, height)
  const [w, h] = [width * scale, height * scale]
  return (
    <>
      <svg class="ratio-shape" width="20" height="20" viewBox="-10 -10 20 20" aria-hidden="true">
        <rect x={-w / 2} y={-h / 2} width={w} height={h} rx="1.5" />
      </svg>
      {ratio}
    </>
  )
}
