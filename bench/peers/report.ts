import type { Machine } from '../http/machine.ts'
import { median } from '../http/statistics.ts'
import { countNames, type Figures } from './rows/row.ts'
import type { Side } from './side.ts'

/** Figures of one side, combined over all rounds. */
export interface SideReport {
  side: string
  meaningOfResponse: string
  figures: Figures
}

export interface Report extends Machine {
  rounds: number
  sides: SideReport[]
}

/** Combines the figures of the rounds: counts to their sum, other figures to their median. */
export function reportOf({ name, meaningOfResponse }: Side, rounds: readonly Figures[]): SideReport {
  const names = new Set(rounds.flatMap((figures) => Object.keys(figures)))
  const combined = [...names].map((figure) => {
    const values = rounds.map((figures) => figures[figure] ?? null).filter((value) => value !== null)
    if (values.length === 0) return [figure, null]
    return [figure, roundFigure(countNames.has(figure) ? values.reduce((sum, value) => sum + value) : median(values))]
  })
  return { side: name, meaningOfResponse, figures: Object.fromEntries(combined) as Figures }
}

/** Formats the figures as a table with a line for each figure and a column for each side. */
export function figureTable(sides: readonly SideReport[]): Record<string, Record<string, number | null>> {
  const names = new Set(sides.flatMap(({ figures }) => Object.keys(figures)))
  return Object.fromEntries(
    [...names].map((name) => [name, Object.fromEntries(sides.map(({ side, figures }) => [side, figures[name] ?? null]))]),
  )
}

/** Rounds figures below 100 to three decimals, and larger ones to whole numbers. */
function roundFigure(figure: number): number {
  return Math.abs(figure) >= 100 ? Math.round(figure) : Math.round(figure * 1000) / 1000
}
