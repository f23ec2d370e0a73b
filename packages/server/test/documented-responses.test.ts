import { expect, it } from 'vitest'
import { requireDocumented, type Exchange } from './documented-responses.ts'

const credits = { object: 'credits', balance: 1, held: 0, expiring: [] }
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'req_1',
}
const error = { type: 'conflict_error', code: 'task_already_ended', message: 'x', param: null, request_id: 'req_1' }

const documented = {
  baseUrl: 'http://127.0.0.1:1/api',
  method: 'GET',
  url: 'http://127.0.0.1:1/api/v2/credits',
  requestHeaders: new Headers(),
  status: 200,
  headers: Object.entries(headers),
  text: JSON.stringify(credits),
}

const withHeaders = (changes: Record<string, string>) => ({ headers: Object.entries({ ...headers, ...changes }) })
const withBody = (body: unknown) => ({ text: JSON.stringify(body) })

it('the response check accepts a documented response', () => {
  expect(() => requireDocumented(documented)).not.toThrow()
})

const violations: [name: string, changes: Partial<Exchange>, violation: string][] = [
  ['an unknown field', withBody({ ...credits, currency: 'x' }), 'currency'],
  ['a missing field', withBody({ object: 'credits', balance: 1 }), 'held'],
  ['another type', withBody({ ...credits, held: '0' }), '/held'],
  ['an unknown header', withHeaders({ 'x-queue': '3' }), 'x-queue is not documented'],
  ['a missing header', { headers: [['content-type', 'application/json']] }, 'X-Request-Id is missing'],
  ['a header of another form', withHeaders({ 'x-request-id': '?' }), 'must match pattern'],
  ['another media type', withHeaders({ 'content-type': 'text/plain' }), 'text/plain'],
  ['an unknown status', { status: 201 }, 'HTTP 201'],
  ['a code of another operation', { status: 409, ...withBody({ error }) }, 'its code is task_already_ended'],
  ['an unknown address', { url: 'http://127.0.0.1:1/api/v2/debits' }, 'must have required property'],
  ['an unknown method', { method: 'POST' }, 'must have required property'],
]
it.each(violations)('the response check rejects an undocumented response: %s', (_name, changes, violation) => {
  expect(() => requireDocumented({ ...documented, ...changes })).toThrow(violation)
})

it('the response check fails if the service accepted a request that the document does not allow', () => {
  const quote = { object: 'quote', model: 'imgA-5.0', amount: 1, available: true, reason: null, parameters: {} }
  const submit = { method: 'POST', url: `${documented.baseUrl}/v2/model-center/tasks/quote`, ...withBody(quote) }
  const body = { model: 'imgA-5.0', prompt: 'x' }
  expect(() => requireDocumented({ ...documented, ...submit, requestBody: JSON.stringify(body) })).not.toThrow()
  const misspelt = JSON.stringify({ ...body, promt: 'x' })
  expect(() => requireDocumented({ ...documented, ...submit, requestBody: misspelt })).toThrow('the request was accepted')
})
