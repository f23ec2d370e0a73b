import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDocument, stringify, type SchemaOptions, type ToStringOptions } from 'yaml'
import { readQuickYaml } from './quick-yaml.ts'

function readWithFullParser(text: string): unknown {
  const document = parseDocument(text, { schema: 'core', prettyErrors: false, uniqueKeys: false })
  return document.errors.length > 0 ? 'invalid' : document.toJS()
}

/**
 * Expects that the quick parser, if it can read a text, reads the same values as the full parser.
 */
function expectSameValues(text: string): void {
  const quickValue = readQuickYaml(text)
  if (quickValue !== undefined) expect(quickValue, text).toEqual(readWithFullParser(text))
}

it('the quick YAML parser and the parser with positions read the same values, or only the latter reads any', () => {
  const scalars = [
    ['1', '01', '0o17', '0x1F', '0b11', '1_000', '+1', '-1', '.5', '5.', '1e3', '.inf', '-.Inf', '.NaN', '-0', '0o8', '1.2.3'],
    ['~', 'null', 'Null', '', 'true', 'True', 'yes', 'on', 'y', '2001-01-01', '12:30:45', '9007199254740993'],
    [
      '"\\x41\\u00e9\\/"',
      "'it''s'",
      'a: b',
      '#x',
      'a #c',
      '@x',
      '`x',
      '- a',
      '[1,2,]',
      '{a,b}',
      '? a',
      '<<',
      '=',
      '%x',
      '!x',
      '&a x',
    ],
    [
      '|\n x\n y',
      '>\n x\n y\n\n z',
      '|+\n x\n\n',
      'a\n b',
      '"a\n b"',
      '"\\q"',
      '\u00a0x',
      'x\u2028y',
      'http://x',
      '--',
      '---',
      '...',
    ],
  ].flat()
  for (const scalar of scalars)
    for (const text of [scalar, `k: ${scalar}\n`, `- ${scalar}\n`, `k: [${scalar}]`, `${scalar}: v`]) {
      // One parser reads a null key as 'null', the other as ''. No definition has a null key.
      if (!/^(~|null|Null|): v$/.test(text)) expectSameValues(text)
    }
  expect(readQuickYaml('a: 0o17\nb: yes\nc: 1_000\n')).toEqual({ a: 15, b: 'yes', c: '1_000' })
})

it('the quick YAML parser reads the values that the YAML writer has written', () => {
  const styles = fc.constantFrom<ToStringOptions & SchemaOptions>(
    {},
    { defaultStringType: 'QUOTE_SINGLE' },
    { defaultStringType: 'QUOTE_DOUBLE' },
    { collectionStyle: 'flow' },
    { indentSeq: false, indent: 4 },
  )
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-?:,#&*!|>'"%@` \n\ta-f0-9.[\]{}]{0,12}$/))
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double({ noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(text, tie('any'), { maxKeys: 4 }),
    ),
  })).any
  fc.assert(
    fc.property(values, styles, (value, style) => {
      // Block texts are not written, because the writer loses the spaces at their beginning.
      const text = stringify(value, { ...style, blockQuote: false })
      expect(readQuickYaml(text), text).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

it.each([
  ['an alias', 'a: &x [1]\nb: *x\n'],
  ['a repeated key', 'a: 1\na: 2\n'],
  ['an unknown tag', 'a: !b c\n'],
  ['invalid YAML', 'a: [b'],
  ['hundreds of levels', `${'['.repeat(500)}${']'.repeat(500)}`],
  ['nothing', '# only a comment\n'],
])('the quick YAML parser returns undefined for %s, so that the parser with positions runs', (_what, text) => {
  expect(readQuickYaml(text)).toBeUndefined()
})
