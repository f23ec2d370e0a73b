import { expect, it } from 'vitest'
import { SuspectedRequests } from './suspected-requests.ts'

const pool = 1
const nowMs = Date.UTC(2026, 0)
const requestOf = (accountNo: number, digest: string) => ({ accountNo, digest, retryAfterMs: null })

function failThreeTimes(requests: SuspectedRequests, accountNo: number): void {
  for (const digest of ['a', 'b', 'c']) expect(requests.record(pool, requestOf(accountNo, digest), nowMs)).toBe(false)
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
  expect(requests.record(pool, requestOf(7, 'a'), laterMs)).toBe(false)
  expect(requests.pausedUntilMs(pool, 7, laterMs)).toBeGreaterThanOrEqual(laterMs + 2_000)
  requests.clear(pool)
  expect(requests.pausedUntilMs(pool, 7, laterMs)).toBeNull()
  failThreeTimes(requests, 7)
})

it('an error of another account pauses a failing route for all accounts', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  expect(requests.record(pool, requestOf(8, 'd'), nowMs)).toBe(true)
  expect(requests.pausedUntilMs(pool, 7, nowMs)).toBeNull()
})

it('two accounts with one failed request each do not pause a route', () => {
  const requests = new SuspectedRequests()
  expect(requests.record(pool, requestOf(7, 'a'), nowMs)).toBe(false)
  expect(requests.record(pool, requestOf(8, 'b'), nowMs)).toBe(false)
  expect(requests.record(pool, requestOf(8, 'b'), nowMs)).toBe(false)
  expect(requests.record(pool, requestOf(8, 'c'), nowMs)).toBe(true)
})

it('a pause for one account still works after the clock was set back', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  const earlierMs = nowMs - 60 * 60_000
  expect(requests.pausedUntilMs(pool, 7, earlierMs)).toBeNull()
  expect(requests.record(pool, requestOf(7, 'a'), earlierMs)).toBe(false)
  expect(requests.pausedUntilMs(pool, 7, earlierMs)).toBeGreaterThan(earlierMs)
})

it('failed requests of more than an hour ago do not count', () => {
  const requests = new SuspectedRequests()
  const laterMs = nowMs + 61 * 60_000
  expect(requests.record(pool, requestOf(7, 'a'), nowMs)).toBe(false)
  expect(requests.record(pool, requestOf(7, 'b'), nowMs)).toBe(false)
  expect(requests.record(pool, requestOf(8, 'c'), laterMs)).toBe(false)
  expect(requests.record(pool, requestOf(8, 'd'), laterMs)).toBe(false)
  expect(requests.record(pool, requestOf(7, 'a'), laterMs)).toBe(true)
})

it('an account whose requests fail without interruption stays paused after an hour', () => {
  const requests = new SuspectedRequests()
  failThreeTimes(requests, 7)
  const minutes = [15, 30, 45, 61]
  for (const minute of minutes) requests.record(pool, requestOf(7, `${minute}`), nowMs + minute * 60_000)
  const laterMs = nowMs + 61 * 60_000
  expect(requests.pausedUntilMs(pool, 7, laterMs)).toBeGreaterThan(laterMs)
  expect(requests.record(pool, requestOf(8, 'd'), laterMs)).toBe(true)
})
