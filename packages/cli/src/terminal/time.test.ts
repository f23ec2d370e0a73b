import { InvalidArgumentError } from 'commander'
import { expect, it } from 'vitest'
import { readTime, timeText } from './time.ts'

it.each([
  ['2027-01-01', '2027-01-01T00:00:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
  ['2027-01-01T12:00Z', '2027-01-01T12:00:00Z'],
  ['2027-01-01 12:00:30.5Z', '2027-01-01T12:00:30Z'],
  ['2027-01-01T01:00+02:00', '2026-12-31T23:00:00Z'],
])('the time %s is read as %s', (text, expected) => {
  expect(timeText(readTime(text))).toBe(expected)
})

it('a time without a zone is a local time', () => {
  expect(readTime('2027-01-01T12:00')).toBe(new Date(2027, 0, 1, 12).getTime() / 1000)
})

it.each([
  '',
  '5',
  '3600',
  '2027',
  '2027-01',
  '2027-02-29',
  '2027-04-31',
  '2027-13-01',
  '1.12.2026',
  '1/2/2027',
  'in 5',
  'May 5',
  '2027-01-01T25:00Z',
])('the text %j is not a time', (text) => {
  expect(() => readTime(text)).toThrow(InvalidArgumentError)
})
