export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
