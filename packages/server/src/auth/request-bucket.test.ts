import fc from 'fast-check'
import { expect, it } from 'vitest'
import { acquireRequest } from './acquire-request.ts'
import { LocalBucket, SharedBuckets } from './request-bucket.ts'

const startMs = Date.UTC(2026, 0, 1)

it("a bucket admits a burst of one second's requests, and refills steadily", () => {
  const bucket = new LocalBucket()
  const acquire = (afterMs: number) => acquireRequest(bucket, startMs + afterMs, 4)
  expect([0, 0, 0, 0].map(acquire).map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
    [true, 3],
    [true, 2],
    [true, 1],
    [true, 0],
  ])
  expect(acquire(0)).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 1 })
  expect(acquire(249).isAllowed).toBe(false)
  expect(acquire(250).isAllowed).toBe(true)
  expect(acquire(1250)).toEqual({ isAllowed: true, remaining: 3, resetSeconds: 1 })
})

it('a bucket delays a request by at most a second after the clock was set back', () => {
  const bucket = new LocalBucket()
  acquireRequest(bucket, startMs, 1)
  expect(acquireRequest(bucket, startMs - 3_600_000, 1).isAllowed).toBe(false)
  expect(acquireRequest(bucket, startMs - 3_599_000, 1).isAllowed).toBe(true)
})

it('a bucket never admits more requests than its size and its refill since the first request', () => {
  const times = fc.array(fc.nat(500), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 1000 }), (gapsMs, perSecondMax) => {
      const bucket = new LocalBucket()
      let [nowMs, allowedCount] = [startMs, 0]
      for (const gapMs of gapsMs) {
        nowMs += gapMs
        const { isAllowed, remaining } = acquireRequest(bucket, nowMs, perSecondMax)
        allowedCount += Number(isAllowed)
        expect(remaining).toBeGreaterThanOrEqual(0)
        expect(remaining).toBeLessThan(perSecondMax)
        expect(allowedCount).toBeLessThanOrEqual(perSecondMax + ((nowMs - startMs) / 1000) * perSecondMax + 0.01)
      }
    }),
  )
})

it('buckets in shared memory admit the same requests as those of a single thread, whichever threads acquire', () => {
  const requests = fc.array(fc.tuple(fc.nat(3), fc.nat(300), fc.boolean()), { maxLength: 100 })
  fc.assert(
    fc.property(requests, (steps) => {
      const buckets = new SharedBuckets()
      const bucketsOfOtherThread = new SharedBuckets(buckets.memory)
      const localBuckets = new Map<number, LocalBucket>()
      let nowMs = startMs
      for (const [key, gapMs, isOther] of steps) {
        nowMs += gapMs
        // Keys whose numbers are far apart may have the same home slot in the table.
        const keyNo = 1 + key * 65_536
        const bucket = localBuckets.get(keyNo) ?? new LocalBucket()
        localBuckets.set(keyNo, bucket)
        const sharedBucket = (isOther ? bucketsOfOtherThread : buckets).get(keyNo)
        expect(acquireRequest(sharedBucket, nowMs, 3)).toEqual(acquireRequest(bucket, nowMs, 3))
      }
    }),
    { numRuns: 20 },
  )
})

it('keys share buckets if there are more keys than buckets in the table', () => {
  const buckets = new SharedBuckets()
  const keyNos = Array.from({ length: 80_000 }, (_, index) => index + 1)
  const admittedKeyNos = keyNos.filter((keyNo) => acquireRequest(buckets.get(keyNo), startMs, 1).isAllowed)
  expect(admittedKeyNos.length).toBeGreaterThan(60_000)
  expect(admittedKeyNos.length).toBeLessThanOrEqual(65_536)
  expect(acquireRequest(buckets.get(1), startMs, 1).isAllowed).toBe(false)
})
