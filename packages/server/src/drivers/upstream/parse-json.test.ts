import { expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

it.each<[string, string, unknown]>([
  ['a byte order mark', '\ufeff{"id":"a"}', { id: 'a' }],
  ['an integer above 2^53, which becomes a string,', '{"id": 12345678901234567891}', { id: '12345678901234567891' }],
  ['a list with an integer below -2^53, which becomes a string,', '[-12345678901234567891]', ['-12345678901234567891']],
  ['an integer of 16 digits below 2^53', '{"seed":9007199254740991}', { seed: 9_007_199_254_740_991 }],
  ['a fraction of 16 digits', '{"cost":0.1234567890123456}', { cost: 0.123_456_789_012_345_6 }],
  ['16 digits in a string', '{"id":",1234567890123456"}', { id: ',1234567890123456' }],
])('a response with %s is parsed', (_content, text, expected) => {
  expect(parseJson(Buffer.from(text))).toEqual(expected)
})

it('a response that is not JSON has no parsed body', () => {
  expect(parseJson(Buffer.from('so sorry'))).toBeUndefined()
})
