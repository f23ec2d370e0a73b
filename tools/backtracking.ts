import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'

export interface Expression {
  /** The file, or the location in the OpenAPI document. */
  place: string
  source: string
  flags: string
}

/** Every regular expression literal in a file, and the code of those that are built at run time. */
export function expressionsIn(file: string): { written: Expression[]; madeElsewhere: string[] } {
  const code = readFileSync(file, 'utf8')
  const written: Expression[] = []
  const madeElsewhere: string[] = []

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee, start, end } = node as Node
    if (type === 'Literal' && regex) written.push({ place: file, source: regex.pattern, flags: regex.flags })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      madeElsewhere.push(code.slice(start, end))
    }
    for (const value of Object.values(node)) visit(value)
  }
  visit(parseAst(code, { lang: 'ts' }))
  return { written, madeElsewhere }
}

/** Every `pattern` of a JSON Schema or of a document that contains some. */
export function patternsIn(schema: unknown, place = ''): Expression[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string'
      ? [{ place, source: value, flags: 'u' }]
      : patternsIn(value, `${place}/${name}`),
  )
}

/**
 * Reasons why a suitable text makes the expression slow: time that grows with the square of its
 * length, or worse.
 */
export function slownessOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): string[] {
  return analyse({ source, flags }).reports.map(
    ({ type, exponential }) => `${exponential ? 'exponential' : 'polynomial'} (${type})`,
  )
}

/** The part of a syntax tree that this tool reads. */
interface Node {
  type: string
  start: number
  end: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}
