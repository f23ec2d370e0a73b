import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'

export interface Expression {
  /** The file, or the location in the OpenAPI document. */
  location: string
  source: string
  flags: string
}

/**
 * Returns the regular expression literals in a file, and the source code of each `RegExp(…)` call.
 */
export function expressionsIn(file: string): { literals: Expression[]; runtimeExpressions: string[] } {
  const code = readFileSync(file, 'utf8')
  const literals: Expression[] = []
  const runtimeExpressions: string[] = []

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee, start, end } = node as Node
    if (type === 'Literal' && regex) literals.push({ location: file, source: regex.pattern, flags: regex.flags })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      runtimeExpressions.push(code.slice(start, end))
    }
    for (const value of Object.values(node)) visit(value)
  }
  visit(parseAst(code, { lang: 'ts' }))
  return { literals, runtimeExpressions }
}

/** Returns every `pattern` in a JSON Schema, or in the schemas of a document. */
export function patternsIn(schema: unknown, location = ''): Expression[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string'
      ? [{ location, source: value, flags: 'u' }]
      : patternsIn(value, `${location}/${name}`),
  )
}

/**
 * Returns the reasons why matching the expression can take quadratic time or worse in the length of
 * the text. Empty if the time is linear.
 */
export function findSlowness({ source, flags }: Pick<Expression, 'source' | 'flags'>): string[] {
  return analyse({ source, flags }).reports.map(
    ({ type, exponential }) => `${exponential ? 'exponential' : 'polynomial'} (${type})`,
  )
}

/** The parts of a syntax tree that this tool reads. */
interface Node {
  type: string
  start: number
  end: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}
