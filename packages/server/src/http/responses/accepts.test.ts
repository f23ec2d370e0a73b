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
])('the Accept header %s accepts JSON', (accept) => {
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
])('the Accept header %s does not accept JSON', (accept) => {
  expect(acceptsJson(accept)).toBe(false)
})

it.each([undefined, '*/*', 'text/csv', 'text/*;q=0.5', 'application/json;q=0, text/csv'])(
  'the Accept header %s accepts CSV',
  (accept) => {
    expect(acceptsCsv(accept)).toBe(true)
  },
)

it.each(['application/json', 'text/html', 'text/csv;q=0'])('the Accept header %s does not accept CSV', (accept) => {
  expect(acceptsCsv(accept)).toBe(false)
})
