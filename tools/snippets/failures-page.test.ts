import { readFileSync } from 'node:fs'
import { errorCodes, failureCodes } from '@framegate/contract'
import { describe, expect, it } from 'vitest'
import { pages } from './pages.ts'

const guide = pages.find(({ name }) => name === 'docs/guides/handle-failures.md')
const page = guide?.markdown ?? ''

/** Returns the rows of the tables with these headings, without backticks. */
function rowsOf(...headings: string[]): string[][] {
  const tables = page.split('\n\n').filter((block) => block.startsWith('|'))
  return tables.flatMap((table) => {
    const [tableHeadings = [], , ...rows] = table.replaceAll('`', '').split('\n').map(cellsOf)
    return tableHeadings.join() === headings.join() ? rows : []
  })
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.trim())
}

const codesOf = (rows: string[][]) => new Set(rows.map(([code]) => code))

describe('the guide to failures', () => {
  it('the guide to failures lists each error code of the API once, with all columns filled in', () => {
    const rows = rowsOf('Code', 'Status', 'Retry', 'Charge', 'Cause and action')
    expect(rows.map(([code, status]) => `${code} ${status}`).toSorted()).toEqual(
      Object.entries(errorCodes)
        .map(([code, { status }]) => `${code} ${status}`)
        .toSorted(),
    )
    expect(rows.filter((cells) => cells.includes(''))).toEqual([])
  })

  it('the guide to failures lists every code of a failed task, and says that none of them is charged', () => {
    const rows = rowsOf('error_code', 'Retry as a new task', 'Charge', 'Cause and action')
    expect(codesOf(rows)).toEqual(new Set(failureCodes))
    expect(rows.filter(([, , charge]) => charge !== 'no')).toEqual([])
  })

  it('the guide to failures lists every error code that the SDK itself creates', () => {
    const source = readFileSync(new URL('../../packages/sdk/src/error-codes.ts', import.meta.url), 'utf8')
    const clientErrorSource = source.slice(source.indexOf('export type ClientErrorCode'))
    const codes = Array.from(clientErrorSource.matchAll(/'(\w+)'/g), ([, code]) => code)
    expect(codesOf(rowsOf('Code', 'Retry', 'Cause and action'))).toEqual(new Set(codes))
  })

  it('the examples of the guide to failures show every code except for the nine that its last section names', () => {
    const printed = guide?.snippets.map(({ output }) => output?.text).join('\n') ?? ''
    const codes = [...Object.keys(errorCodes), ...failureCodes]
    const words = new Set(printed.split(/\W+/))
    const untried = codes.filter((code) => !words.has(code))
    expect(untried.toSorted()).toEqual([
      'asset_quota_exceeded',
      'cancelled',
      'confirmation_required',
      'context_length_exceeded',
      'delivery_not_found',
      'key_scope_missing',
      'request_timeout',
      'still_running',
      'webhook_not_found',
    ])
    const [, lastSection] = page.split(/^```\n(?![^]*^```)/m)
    for (const code of untried) expect(lastSection).toContain(`\`${code}\``)
  })
})
