import { describe, expect, it } from 'vitest'
import { retryAfterMsOf } from './judge-refusal.ts'

describe('how long an upstream asks to be left alone', () => {
  it('is the seconds that it says', () => {
    expect(retryAfterMsOf({ headers: { 'retry-after': '7' } })).toBe(7_000)
    expect(retryAfterMsOf({ headers: {} })).toBeNull()
    expect(retryAfterMsOf({ headers: { 'retry-after': 'soon' } })).toBeNull()
  })

  it('is counted by its own clock where it says a date, whatever the time is here', () => {
    const headers = { date: 'Sun, 22 Nov 2015 08:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2015 08:00:20 GMT' }
    expect(retryAfterMsOf({ headers })).toBe(20_000)
    expect(retryAfterMsOf({ headers: { 'retry-after': headers['retry-after'] } })).toBe(0)
  })
})
