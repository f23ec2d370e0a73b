import { describe, expect, it } from 'vitest'
import { facts, table, type Column } from './table.ts'
import { textWidth } from './text-width.ts'

const columns: (string | Column)[] = [
  'ID',
  { heading: 'STATUS', rank: 2 },
  { heading: 'HELD', rank: 1 },
  { heading: 'NAME', long: 'shorten' },
]
const rows = [
  ['acct_0197c0de', 'active', '0', 'Studio North of the Harbour'],
  ['acct_0197c0df', 'suspended', '12.5', 'Q'],
]

const linesOf = (text: string) => text.split('\n')
const widestLineOf = (text: string) => Math.max(...linesOf(text).map(textWidth))

describe('tables', () => {
  it('table columns are as wide as their widest cell if the terminal is wide enough, and always in a pipe', () => {
    const fullTable = [
      'ID             STATUS     HELD  NAME',
      'acct_0197c0de  active     0     Studio North of the Harbour',
      'acct_0197c0df  suspended  12.5  Q',
    ]
    expect(linesOf(table(columns, rows, 59))).toEqual(fullTable)
    expect(linesOf(table(columns, rows, Infinity))).toEqual(fullTable)
  })

  it('a table that is too wide shortens long names first', () => {
    expect(linesOf(table(columns, rows, 50))).toEqual([
      'ID             STATUS     HELD  NAME',
      'acct_0197c0de  active     0     Studio North of t…',
      'acct_0197c0df  suspended  12.5  Q',
    ])
  })

  it('a table that is still too wide omits the lowest-ranked columns and names them', () => {
    expect(linesOf(table(columns, rows, 40))).toEqual([
      'ID             STATUS     NAME',
      'acct_0197c0de  active     Studio North…',
      'acct_0197c0df  suspended  Q',
      '',
      'Hidden columns: HELD. A wider terminal',
      'or --json shows them.',
    ])
    expect(linesOf(table(columns, rows, 30)).slice(0, 2)).toEqual(['ID             NAME', 'acct_0197c0de  Studio North o…'])
  })

  it.each([20, 30, 40, 60, 80, 100, 120])('a table is never wider than a terminal of %i columns', (width) => {
    const details: Column[] = [{ heading: 'WHAT', long: 'wrap' }]
    const long = 'attempt 1 at a-route-with-a-rather-long-name, for a provider that is throttling, next try 2026-03-01T12:00:00Z'
    expect(
      widestLineOf(
        table(
          [...columns, ...details],
          rows.map((cells) => cells.concat(long)),
          width,
        ),
      ),
    ).toBeLessThanOrEqual(width)
  })

  it('a long table cell wraps between words, within its own column', () => {
    const text = table(
      ['MODEL', { heading: 'CREDITS', long: 'wrap' }],
      [['vidDq3', 'per second 0.08 (540p), 0.1 (720p), 0.2 (1080p)']],
      30,
    )
    expect(linesOf(text)).toEqual([
      'MODEL   CREDITS',
      'vidDq3  per second 0.08',
      '        (540p), 0.1 (720p),',
      '        0.2 (1080p)',
    ])
  })

  it('a double-width character counts as two columns of a table', () => {
    const names = [
      ['a', '北極光スタジオ', 'x'],
      ['b', '🦊', 'y'],
    ]
    expect(linesOf(table(['ID', 'NAME', 'X'], names, 80))).toEqual([
      'ID  NAME            X',
      'a   北極光スタジオ  x',
      'b   🦊              y',
    ])
    expect(
      widestLineOf(table(['ID', { heading: 'NAME', long: 'shorten' }], [['a', '北極光スタジオ北極光スタジオ']], 20)),
    ).toBeLessThanOrEqual(20)
  })
})

it('a list of facts wraps between words and keeps addresses whole', () => {
  const address = `http://127.0.0.1:8787/api/media/${'x'.repeat(40)}`
  expect(
    linesOf(
      facts(
        [
          ['error', 'The provider refused the prompt of this task'],
          ['result', address],
        ],
        30,
      ),
    ),
  ).toEqual(['error   The provider refused', '        the prompt of this', '        task', `result  ${address}`])
})
