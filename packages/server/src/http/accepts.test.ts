import { expect, it } from 'vitest'
import { acceptsCsv, acceptsJson } from './accepts.ts'

it.each([
  undefined,
  '',
  '*/*',
  'application/json',
  'text/html, */*;q=0.1',
  'Application/JSON; charset=utf-8',
  'application/*',
  'text/html;q=0, application/json;q=0.001',
  '*/*;q=0, application/json',
])('takes %s', (accept) => {
  expect(acceptsJson(accept)).toBe(true)
})

it.each([
  'text/html',
  'image/*',
  'application/xml',
  'application/json;q=0',
  '*/*, application/json;q=0.0',
  '*/*;q=0',
  'nonsense',
])('does not take %s', (accept) => {
  expect(acceptsJson(accept)).toBe(false)
})

it.each([undefined, '*/*', 'text/csv', 'text/*;q=0.5', 'application/json;q=0, text/csv'])('takes CSV: %s', (accept) => {
  expect(acceptsCsv(accept)).toBe(true)
})

it.each(['application/json', 'text/html', 'text/csv;q=0'])('does not take CSV: %s', (accept) => {
  expect(acceptsCsv(accept)).toBe(false)
})
