import type { RateRow } from './rates.ts'

/** A measured figure that is not a comparison of rates. */
export interface Fact {
  what: string
  unit: 'MB' | 'ms' | 'tasks/s' | ''
  figure: number
  target?: string
}

const titles = ['req/s', 'baseline', 'of baseline', 'target', 'by CPU', 'p50 ms', 'p99 ms', 'main µs', 'other µs', 'loop ms']
const nameWidth = 62
const columnWidth = 13

export function rateTable(rows: readonly RateRow[]): string {
  return [
    lineOf('', titles),
    ...rows.map(({ what, ours, baseline, ofBaseline, ofBaselineByCpu, target }) =>
      lineOf(what, [
        ours.perSecond.toFixed(0),
        baseline.perSecond.toFixed(0),
        ofBaseline.toFixed(2),
        target === null ? '' : `>= ${target}`,
        ofBaselineByCpu.toFixed(2),
        ours.p50Ms.toFixed(1),
        ours.p99Ms.toFixed(1),
        ours.mainCpuMicros.toFixed(1),
        ours.otherCpuMicros.toFixed(1),
        ours.loopDelayP99Ms.toFixed(1),
      ]),
    ),
  ].join('\n')
}

export function factTable(facts: readonly Fact[]): string {
  return facts
    .map(({ what, unit, figure, target = '' }) => lineOf(what, [figure.toFixed(figure < 10 ? 2 : 0), unit, '', target]))
    .join('\n')
}

export function lineOf(name: string, cells: readonly string[]): string {
  return (name.padEnd(nameWidth) + cells.map((cell) => cell.padStart(columnWidth)).join('')).trimEnd()
}
