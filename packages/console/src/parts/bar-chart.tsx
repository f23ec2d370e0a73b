interface BarChartProps {
  /** Accessible label. The values are in the table beside the chart. */
  label: string
  bars: readonly { label: string; value: number; title: string }[]
}

const [width, height, gap] = [720, 180, 0.25]

/** Bars of one series, drawn without a library. */
export function BarChart({ label, bars }: BarChartProps) {
  const highest = Math.max(...bars.map(({ value }) => value), 0)
  const step = width / Math.max(1, bars.length)
  return (
    <figure class="bar-chart">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map(({ label: name, value, title }, index) => {
          const size = highest === 0 ? 0 : Math.max(value > 0 ? 2 : 0, (value / highest) * height)
          return (
            <rect
              key={name}
              x={index * step + (step * gap) / 2}
              y={height - size}
              width={step * (1 - gap)}
              height={size}
              rx="1.5"
            >
              <title>{title}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption class="bar-chart-axis muted small">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </figcaption>
    </figure>
  )
}
