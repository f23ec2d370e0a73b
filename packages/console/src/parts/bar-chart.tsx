interface BarChartProps {
  /** Accessible label of the chart. */
  label: string
  /** `title` is the tooltip of a bar. The chart shows the labels of the first and the last bar. */
  bars: readonly { label: string; value: number; title: string }[]
}

/** Size in units of the view box, and the share of a bar's width that is a gap. */
const [width, height, gapShare] = [720, 180, 0.25]

/** Bars of one series, drawn without a library. */
export function BarChart({ label, bars }: BarChartProps) {
  const valueMax = Math.max(...bars.map(({ value }) => value), 0)
  const step = width / Math.max(1, bars.length)
  return (
    <figure class="bar-chart">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map(({ label: name, value, title }, index) => {
          const barHeight = valueMax === 0 ? 0 : Math.max(value > 0 ? 2 : 0, (value / valueMax) * height)
          return (
            <rect
              key={name}
              x={index * step + (step * gapShare) / 2}
              y={height - barHeight}
              width={step * (1 - gapShare)}
              height={barHeight}
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
