import { readFileSync } from 'node:fs'
import { errorCodes, failureCodes } from '@framegate/contract'
import { describe, expect, it } from 'vitest'
import { pages } from './pages.ts'

const guide = pages.find(({ name }) => name === 'docs/guides/handle-failures.md')
const page = guide?.markdown ?? ''

/** The rows of the tables with these headings, without backticks. */
function rowsOf(...headings: string[]): string[][] {
  const tables = page.split('\n\n').filter((part) => part.startsWith('|'))
  return tables.flatMap((table) => {
    const [first = [], , ...rows] = table.replaceAll('`', '').split('\n').map(cellsOf)
    return first.join() === headings.join() ? rows : []
  })
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.trim())
}

const codesOf = (rows: string[][]) => new Set(rows.map(([code]) => code))

describe('the guide to every failure', () => {
  it('has every error code once, with its status, and says whether to send it again, what it costs and what to do', () => {
    const rows = rowsOf('Code', 'Status', 'Again?', 'Charged?', 'What to do')
    expect(rows.map(([code, status]) => `${code} ${status}`).toSorted()).toEqual(
      Object.entries(errorCodes)
        .map(([code, { status }]) => `${code} ${status}`)
        .toSorted(),
    )
    expect(rows.filter((cells) => cells.includes(''))).toEqual([])
  })

  it('has every way in which a task fails', () => {
    const rows = rowsOf('error_code', 'Make it anew?', 'Charged?', 'What to do')
    expect(codesOf(rows)).toEqual(new Set(failureCodes))
    expect(rows.filter(([, , charged]) => charged !== 'no')).toEqual([])
  })

  it('has every code that the SDK gives by itself', () => {
    const source = readFileSync(new URL('../../packages/sdk/src/error-codes.ts', import.meta.url), 'utf8')
    const own = source.slice(source.indexOf('export type ClientErrorCode'))
    const codes = Array.from(own.matchAll(/'(\w+)'/g), ([, code]) => code)
    expect(codesOf(rowsOf('Code', 'Again?', 'What to do'))).toEqual(new Set(codes))
  })

  it('lets the reader meet every code but four, and shows it', () => {
    const printed = guide?.snippets.map(({ output }) => output?.text).join('\n') ?? ''
    const codes = [...Object.keys(errorCodes), ...failureCodes]
    const words = new Set(printed.split(/\W+/))
    const untried = codes.filter((code) => !words.has(code))
    expect(untried).toEqual(['key_scope_missing', 'request_timeout', 'asset_quota_exceeded', 'cancelled'])
    const [, lastWords] = page.split(/^```\n(?![^]*^```)/m)
    for (const code of untried) expect(lastWords).toContain(`\`${code}\``)
  })
})
