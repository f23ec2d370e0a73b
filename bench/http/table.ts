import type { RateRow } from './rates.ts'

/** One figure that is no rate. */
export interface Fact {
  what: string
  unit: 'MB' | 'ms' | 'tasks/s' | ''
  figure: number
  target?: string
}

const titles = ['/s', 'bare /s', 'of bare', 'target', 'p50 ms', 'p99 ms', 'main µs', 'bare µs', 'other µs', 'loop p99']
const nameWidth = 58
const columnWidth = 9

export function rateTable(rows: readonly RateRow[]): string {
  return [
    lineOf('', titles),
    ...rows.map(({ what, ours, bare, ofBare, target }) =>
      lineOf(what, [
        ours.perSecond.toFixed(0),
        bare.perSecond.toFixed(0),
        ofBare.toFixed(2),
        target === null ? '' : `>= ${target}`,
        ours.p50Ms.toFixed(1),
        ours.p99Ms.toFixed(1),
        ours.mainCpuMicros.toFixed(1),
        bare.mainCpuMicros.toFixed(1),
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

function lineOf(name: string, cells: readonly string[]): string {
  return (name.padEnd(nameWidth) + cells.map((cell) => cell.padStart(columnWidth)).join('')).trimEnd()
}
