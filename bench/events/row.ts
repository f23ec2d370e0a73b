export interface Row {
  what: string
  figure: number
  unit: 'MB' | 'ms' | '/s' | 'ratio'
  target?: { atMost: number } | { atLeast: number }
}

export function isReached({ figure, target }: Required<Pick<Row, 'figure' | 'target'>>): boolean {
  return 'atMost' in target ? figure <= target.atMost : figure >= target.atLeast
}
