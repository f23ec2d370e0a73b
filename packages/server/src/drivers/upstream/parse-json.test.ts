import { expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

it.each<[string, string, unknown]>([
  ['with a byte order mark', '\ufeff{"id":"a"}', { id: 'a' }],
  ['with an integer above 2^53 keeps its digits', '{"id": 12345678901234567891}', { id: '12345678901234567891' }],
  ['with a long integer in a list keeps its digits', '[-12345678901234567891]', ['-12345678901234567891']],
  ['with a long integer that a number can represent', '{"seed":9007199254740991}', { seed: 9_007_199_254_740_991 }],
  ['with a long fraction', '{"cost":0.1234567890123456}', { cost: 0.123_456_789_012_345_6 }],
  ['with digits in a string', '{"id":",1234567890123456"}', { id: ',1234567890123456' }],
  ['that is not JSON', 'so sorry', undefined],
])('a response %s is parsed', (_what, text, expected) => {
  expect(parseJson(Buffer.from(text))).toEqual(expected)
})
