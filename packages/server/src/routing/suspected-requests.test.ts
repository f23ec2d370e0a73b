import { expect, it } from 'vitest'
import { SuspectedRequests } from './suspected-requests.ts'

const pool = 1
const nowMs = Date.UTC(2026, 0)
const requestOf = (accountNo: number, digest: string) => ({ accountNo, digest, retryAfterMs: null })

function failThreeTimes(requests: SuspectedRequests, accountNo: number): void {
  const effects = ['a', 'b', 'c'].map((digest) => requests.record(pool, requestOf(accountNo, digest), nowMs))
  expect(effects).toEqual([null, null, 'account_paused'])
}

it('three different failed requests of one account pause the route only for this account', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  expect(requests.pausedUntilMs(pool, 7, nowMs)).toBeGreaterThanOrEqual(nowMs + 1_000)
  expect(requests.pausedUntilMs(pool, 7, nowMs + 1_201)).toBeNull()
  expect(requests.pausedUntilMs(pool, 8, nowMs)).toBeNull()
  expect(requests.pausedUntilMs(2, 7, nowMs)).toBeNull()
})

it('the first error after a pause for one account doubles the pause, and a success ends it', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  const laterMs = nowMs + 2_000
  expect(requests.record(pool, requestOf(7, 'a'), laterMs)).toBe('account_paused')
  expect(requests.pausedUntilMs(pool, 7, laterMs)).toBeGreaterThanOrEqual(laterMs + 2_000)
  requests.clear(pool)
  expect(requests.pausedUntilMs(pool, 7, laterMs)).toBeNull()
  failThreeTimes(requests, 7)
})

it('the third pause in a row makes the route out of order for the account, until the pause ends', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  for (const laterMs of [nowMs + 2_000, nowMs + 10_000]) {
    expect(requests.isOutOfOrder(pool, 7, laterMs)).toBe(false)
    requests.record(pool, requestOf(7, 'd'), laterMs)
  }
  expect(requests.isOutOfOrder(pool, 7, nowMs + 10_000)).toBe(true)
  expect(requests.isOutOfOrder(pool, 8, nowMs + 10_000)).toBe(false)
  expect(requests.isOutOfOrder(pool, 7, nowMs + 20_000)).toBe(false)
})

it('an error of another account pauses a failing route for all accounts', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  expect(requests.record(pool, requestOf(8, 'd'), nowMs)).toBe('pause')
  expect(requests.pausedUntilMs(pool, 7, nowMs)).toBeNull()
})

it('two accounts with one failed request each do not pause a route', () => {
  const requests = new SuspectedRequests()
  expect(requests.record(pool, requestOf(7, 'a'), nowMs)).toBeNull()
  expect(requests.record(pool, requestOf(8, 'b'), nowMs)).toBeNull()
  expect(requests.record(pool, requestOf(8, 'b'), nowMs)).toBeNull()
  expect(requests.record(pool, requestOf(8, 'c'), nowMs)).toBe('pause')
})

it('a pause for one account still works after the clock was set back', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  const earlierMs = nowMs - 60 * 60_000
  expect(requests.pausedUntilMs(pool, 7, earlierMs)).toBeNull()
  expect(requests.record(pool, requestOf(7, 'a'), earlierMs)).toBe('account_paused')
  expect(requests.pausedUntilMs(pool, 7, earlierMs)).toBeGreaterThan(earlierMs)
})

it('failed requests of more than an hour ago do not count', () => {
  const requests = new SuspectedRequests()
  const laterMs = nowMs + 61 * 60_000
  expect(requests.record(pool, requestOf(7, 'a'), nowMs)).toBeNull()
  expect(requests.record(pool, requestOf(7, 'b'), nowMs)).toBeNull()
  expect(requests.record(pool, requestOf(8, 'c'), laterMs)).toBeNull()
  expect(requests.record(pool, requestOf(8, 'd'), laterMs)).toBeNull()
  expect(requests.record(pool, requestOf(7, 'a'), laterMs)).toBe('pause')
})

it('an account whose requests fail without interruption stays paused after an hour', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  const minutes = [15, 30, 45, 61]
  for (const minute of minutes) requests.record(pool, requestOf(7, `${minute}`), nowMs + minute * 60_000)
  const laterMs = nowMs + 61 * 60_000
  expect(requests.pausedUntilMs(pool, 7, laterMs)).toBeGreaterThan(laterMs)
  expect(requests.record(pool, requestOf(8, 'd'), laterMs)).toBe('pause')
})
