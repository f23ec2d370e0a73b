import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { expressionsIn, patternsIn, slownessOf, type Expression } from './backtracking.ts'
import { openApiText } from './openapi-text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: (name) => /\.(as|test|suite)\.ts$/.test(name) })
const found = sources.map((file) => expressionsIn(root + file))

const slowOnes = (expressions: readonly Expression[]): string[] =>
  expressions.flatMap((expression) =>
    slownessOf(expression).map((slowness) => `${expression.place}: /${expression.source}/${expression.flags} is ${slowness}`),
  )

it('no regular expression of the sources can be made slow by its input', () => {
  const written = found.flatMap((file) => file.written)
  expect(written.length).toBeGreaterThan(200)
  expect(slowOnes(written)).toEqual([])
})

it('no pattern for a request or response can be made slow by its input', () => {
  const patterns = patternsIn(JSON.parse(openApiText()))
  expect(patterns.length).toBeGreaterThan(20)
  expect(slowOnes(patterns)).toEqual([])
})

it('the regular expressions built at run time are known', () => {
  expect(found.flatMap((file) => file.madeElsewhere).sort()).toEqual([
    // The first is built from a name in an adjacent list. Definitions of models are untrusted: atoms
    // match one character, and a pattern is used only if `isLinearPattern` accepts it. The others
    // are patterns of the OpenAPI document.
    "new RegExp(`^ V\\\\S+ ${name} `, 'm')",
    "new RegExp(`^${atom}$`, 'u')",
    'new RegExp(idempotencyKeyHeader.pattern)',
    "new RegExp(pattern, 'u')",
    'new RegExp(routingNamePattern)',
    'new RegExp(schema.pattern)',
    'new RegExp(taskIdPattern)',
  ])
})

it.each([/^(a+)+$/, /(a|a)*b/, /^(\w+\s?)*$/, /\s+$/, /<([^>]+)>/, /^[a-z]*[a-z0-9]*$/])('the slow %s is detected', (slow) => {
  expect(slownessOf(slow)).not.toEqual([])
})
