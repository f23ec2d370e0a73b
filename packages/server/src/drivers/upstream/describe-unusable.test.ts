import { expect, it } from 'vitest'
import { describeError, describeUnusable } from './describe-unusable.ts'
import { parseJson } from './parse-json.ts'

function responseOf(status: number, text: string) {
  const body = Buffer.from(text)
  return { status, body, json: parseJson(body) }
}

it.each([
  [200, '', 'HTTP 200 with an empty body'],
  [200, '<html>', 'HTTP 200 with a body that cannot be parsed as JSON'],
  [200, '[]', 'HTTP 200 without a status'],
  [202, '{"state":"done"}', 'HTTP 202 without a status'],
  [302, '', 'HTTP 302'],
  [502, '<html>', 'HTTP 502'],
])('a response with HTTP %i and the body %j is described as %s', (status, text, expected) => {
  expect(describeUnusable(responseOf(status, text), 'a status')).toBe(expected)
})

it('a response whose body has an error is described by the error', () => {
  const reported = { code: '1302', message: 'slow down', isPolicyViolation: false }
  expect(describeError(responseOf(200, '{}'), reported, 'a status')).toBe('HTTP 200, 1302: slow down')
  expect(describeError(responseOf(200, '{}'), { ...reported, code: '', message: '' }, 'a status')).toBe(
    'HTTP 200 without a status',
  )
})
