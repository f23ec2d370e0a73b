import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import { RequestRates } from './request-rates.ts'

const unlimited = { requestsPerMinuteMax: null, tokensPerMinuteMax: null }

function openRates(
  keyRates = unlimited as { requestsPerMinuteMax: number | null; tokensPerMinuteMax: number | null },
  accountRates = unlimited,
) {
  let nowMs = 0
  const rates = new RequestRates(() => nowMs)
  const owner = { keyNo: 1, accountNo: 1, keyRates, accountRates }
  const tryRequest = (): boolean => {
    try {
      rates.admit(owner)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
      return false
    }
  }
  return { rates, owner, tryRequest, passTime: (ms: number) => void (nowMs += ms) }
}

it('a key without limits is always admitted', () => {
  const { tryRequest } = openRates()
  expect(Array.from({ length: 1_000 }, tryRequest)).not.toContain(false)
})

it('tokens above the limit delay further requests, and the error contains the delay', () => {
  const { rates, owner, tryRequest, passTime } = openRates({ requestsPerMinuteMax: null, tokensPerMinuteMax: 600 })
  expect(tryRequest()).toBe(true)
  rates.recordTokens(owner, 900)
  let thrownError: unknown
  try {
    rates.admit(owner)
  } catch (error) {
    thrownError = error
  }
  expect(thrownError).toMatchObject({
    code: 'rate_limited',
    headers: {
      'retry-after': '31',
      'ratelimit-policy': '"tokens-per-minute";q=600;w=60',
      ratelimit: '"tokens-per-minute";r=0;t=31',
    },
  })
  passTime(30_000)
  expect(tryRequest()).toBe(false)
  passTime(1_000)
  expect(tryRequest()).toBe(true)
})

it('a rate limit admits at most twice its number in any minute, and is fully restored by a minute without requests', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }),
      (max, pausesMs) => {
        const { tryRequest, passTime } = openRates({ requestsPerMinuteMax: max, tokensPerMinuteMax: null })
        const admittedTimesMs: number[] = []
        let nowMs = 0
        for (const pauseMs of pausesMs) {
          passTime(pauseMs)
          nowMs += pauseMs
          for (let n = 0; n < max + 1; n++) if (tryRequest()) admittedTimesMs.push(nowMs)
        }
        for (const startMs of admittedTimesMs) {
          expect(
            admittedTimesMs.filter((admittedMs) => admittedMs >= startMs && admittedMs < startMs + 60_000).length,
          ).toBeLessThanOrEqual(2 * max)
        }
        passTime(60_000)
        expect(Array.from({ length: max }, tryRequest)).not.toContain(false)
      },
    ),
  )
})

it('the limits of the account apply to its key too', () => {
  const { tryRequest } = openRates(unlimited, { requestsPerMinuteMax: 2, tokensPerMinuteMax: null } as never)
  expect([tryRequest(), tryRequest(), tryRequest()]).toEqual([true, true, false])
})

it('keys that have used more tokens than their limit are forgotten once they have their full limit again', () => {
  const { rates, owner, passTime } = openRates({ requestsPerMinuteMax: null, tokensPerMinuteMax: 600 })
  for (let keyNo = 1; keyNo <= 10_000; keyNo++) rates.recordTokens({ ...owner, keyNo }, 1_800)
  passTime(2 * 60_000)
  rates.recordTokens({ ...owner, keyNo: 20_000 }, 1)
  expect(rates.ownerCount).toBe(10_001)
  passTime(60_000)
  rates.recordTokens({ ...owner, keyNo: 20_001 }, 1)
  expect(rates.ownerCount).toBe(1)
})
