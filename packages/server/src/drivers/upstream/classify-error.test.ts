import { describe, expect, it } from 'vitest'
import { NotAccepted, type StartContext } from '../driver.ts'
import type { UpstreamCall } from './call-upstream.ts'
import { UpstreamUnreachable } from './upstream-unreachable.ts'
import { classifyError, classifyUploadError, failedOutcome, sendSubmit, sendUpload } from './classify-error.ts'
import { retryAfterMsOf } from './retry-after.ts'

const reported = { code: 'no', message: '', isPolicyViolation: false }
const { signal } = new AbortController()

function responseOf(status: number, headers: Record<string, string> = {}) {
  return { status, headers, body: Buffer.alloc(0), json: undefined }
}

it('the message of a failed job is truncated', () => {
  expect(failedOutcome('upstream_failed', 'no '.repeat(1_000_000)).detail).toHaveLength(1_000)
})

describe('the scope of a refused submit', () => {
  it.each([
    [401, 'credential'],
    [402, 'credential'],
    [302, 'route'],
    [403, 'route'],
    [404, 'route'],
    [405, 'route'],
    [410, 'route'],
  ])('an HTTP %i response to a submit gives an error with the scope %s', (status, scope) => {
    const error = classifyError(responseOf(status), reported)
    expect(error).toBeInstanceOf(NotAccepted)
    expect(error).toMatchObject({ reason: 'unavailable', scope })
  })

  it('an HTTP 429 response to a submit gives an error with the reason throttled and the scope route', () => {
    expect(classifyError(responseOf(429, { 'retry-after': '7' }), reported)).toMatchObject({
      reason: 'throttled',
      scope: 'route',
      retryAfterMs: 7_000,
    })
  })

  it('after an HTTP 503 response to a submit, it is unknown whether a job was started, and the error has its Retry-After', () => {
    const error = classifyError(responseOf(503, { 'retry-after': '7' }), reported)
    expect(error).not.toBeInstanceOf(NotAccepted)
    expect(error).toMatchObject({ name: 'AcceptanceUnknown', retryAfterMs: 7_000 })
    expect(classifyError(responseOf(503), reported)).toMatchObject({ name: 'AcceptanceUnknown', retryAfterMs: null })
  })

  it.each([401, 402, 403, 404])('the error for an HTTP %i response to a submit has its Retry-After', (status) => {
    expect(classifyError(responseOf(status, { 'retry-after': '7' }), reported)).toMatchObject({
      reason: 'unavailable',
      retryAfterMs: 7_000,
    })
  })

  it('an error with the reason throttled has the scope route, even if another scope is given', () => {
    expect(new NotAccepted('throttled', 'slow down', { scope: 'upstream' }).scope).toBe('route')
  })

  it('a submit that finds no connection gives an error with the scope upstream', async () => {
    const submitted = sendSubmit(
      () => Promise.reject(new UpstreamUnreachable('no connection could be made')),
      { method: 'POST', url: 'http://upstream.example' },
      { signal, beforeSubmit: async () => {} },
    )
    await expect(submitted).rejects.toMatchObject({ name: 'NotAccepted', reason: 'unavailable', scope: 'upstream' })
  })
})

describe('sendSubmit', () => {
  it('sendSubmit passes on the signal, and passes beforeSubmit as beforeSend', async () => {
    let called = 0
    // A method, so that a call without its object fails.
    class Context implements StartContext {
      readonly signal = signal
      async beforeSubmit() {
        if (this.signal === signal) called++
      }
    }
    const calls: UpstreamCall[] = []
    const call = async (submit: UpstreamCall) => {
      calls.push(submit)
      await submit.beforeSend?.()
      return responseOf(200)
    }
    await sendSubmit(call, { method: 'POST', url: 'http://upstream.example' }, new Context())
    expect(calls).toMatchObject([{ method: 'POST', signal }])
    expect(called).toBe(1)
  })
})

describe('an upload that fails', () => {
  it.each([
    [401, 'unavailable', 'credential'],
    [403, 'unavailable', 'route'],
    [429, 'throttled', 'route'],
    [500, 'unavailable', 'route'],
  ])('an HTTP %i response to an upload gives an error with the reason %s and the scope %s', (status, reason, scope) => {
    expect(classifyUploadError(responseOf(status))).toMatchObject({ reason, scope })
  })

  it('an HTTP 503 response to an upload with Retry-After gives an error with the reason throttled, because an upload starts no job', () => {
    expect(classifyUploadError(responseOf(503, { 'retry-after': '7' }))).toMatchObject({
      reason: 'throttled',
      retryAfterMs: 7_000,
    })
  })

  it.each([
    [new UpstreamUnreachable('no connection could be made'), 'upstream'],
    [new Error('the connection broke'), 'route'],
  ])('an upload that ends with %s rejects with NotAccepted and the scope %s', async (cause, scope) => {
    const upload = sendUpload(() => Promise.reject(cause), { method: 'POST', url: 'http://upstream.example', signal })
    await expect(upload).rejects.toMatchObject({ name: 'NotAccepted', reason: 'unavailable', scope, cause })
  })

  it('an upload that is aborted rejects with the reason of the abort', async () => {
    const stop = AbortSignal.abort(new Error('the task was cancelled'))
    const upload = sendUpload(() => Promise.reject(stop.reason), { method: 'POST', url: 'http://upstream.example', signal: stop })
    await expect(upload).rejects.toBe(stop.reason)
  })
})

describe('Retry-After', () => {
  it('a Retry-After in seconds is read, and a value that is neither seconds nor a date counts as missing', () => {
    expect(retryAfterMsOf({ headers: { 'retry-after': '7' } })).toBe(7_000)
    expect(retryAfterMsOf({ headers: {} })).toBeNull()
    expect(retryAfterMsOf({ headers: { 'retry-after': 'soon' } })).toBeNull()
  })

  it("a date in Retry-After is compared with the upstream's own clock, and a past date gives 0", () => {
    const headers = { date: 'Sun, 22 Nov 2015 08:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2015 08:00:20 GMT' }
    expect(retryAfterMsOf({ headers })).toBe(20_000)
    expect(retryAfterMsOf({ headers: { 'retry-after': headers['retry-after'] } })).toBe(0)
  })
})
