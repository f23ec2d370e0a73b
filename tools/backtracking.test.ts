import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { expressionsIn, findSlowness, patternsIn, type Expression } from './backtracking.ts'
import { openApiText } from './openapi-text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: (name) => /\.(as|test|suite)\.ts$/.test(name) })
const sourceExpressions = sources.map((file) => expressionsIn(root + file))

const slowExpressions = (expressions: readonly Expression[]): string[] =>
  expressions.flatMap((expression) =>
    findSlowness(expression).map(
      (slowness) => `${expression.location}: /${expression.source}/${expression.flags} is ${slowness}`,
    ),
  )

it('every regular expression of the sources takes linear time for any input', () => {
  const literals = sourceExpressions.flatMap((file) => file.literals)
  expect(literals.length).toBeGreaterThan(200)
  expect(slowExpressions(literals)).toEqual([])
})

it('every pattern of the OpenAPI document takes linear time for any input', () => {
  const patterns = patternsIn(JSON.parse(openApiText()))
  expect(patterns.length).toBeGreaterThan(20)
  expect(slowExpressions(patterns)).toEqual([])
})

it('the sources build no regular expressions at run time, except for the listed ones', () => {
  expect(sourceExpressions.flatMap((file) => file.runtimeExpressions).sort()).toEqual([
    // The first is built from constants. The second and the fourth come from untrusted model
    // definitions: an atom matches one character, and a pattern is only used if `isLinearPattern`
    // accepts it. The others are patterns of the OpenAPI document.
    "new RegExp(`^ V\\\\S+ ${name} `, 'm')",
    "new RegExp(`^${atom}$`, 'u')",
    'new RegExp(idempotencyKeyHeader.pattern)',
    "new RegExp(pattern, 'u')",
    'new RegExp(routingNamePattern)',
    'new RegExp(schema.pattern)',
    'new RegExp(taskIdPattern)',
  ])
})

it.each([/^(a+)+$/, /(a|a)*b/, /^(\w+\s?)*$/, /\s+$/, /<([^>]+)>/, /^[a-z]*[a-z0-9]*$/])(
  'the regular expression %s is reported as slow',
  (slow) => {
    expect(findSlowness(slow)).not.toEqual([])
  },
)
