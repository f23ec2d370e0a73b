import type { Principal, RateLimits } from '../auth/principal.ts'
import { AppError } from '../lib/app-error.ts'

/** Requests and tokens that a key or an account has left, without the refill since `refilledAtMs`. */
interface Bucket {
  requests: number
  /** May be negative, because the tokens of a request become known only when it ends. */
  tokens: number
  /** Limit of the tokens at the last refill. Infinity: the tokens are not limited. */
  tokensMax: number
  refilledAtMs: number
}

const minuteMs = 60_000
/** If there are this many buckets, the full ones are removed before another one is added. */
const bucketsMax = 10_000

type RateLimitOwner = Pick<Principal, 'keyNo' | 'accountNo' | 'keyRates' | 'accountRates'>
type RateUnit = 'requests' | 'tokens'

/**
 * Rate limits for forwarded requests: requests and tokens per minute, for keys and accounts. Each
 * limit is a token bucket that holds the amount of one minute and is refilled steadily. A request
 * is admitted if at least one request and one token are left. Its own tokens are subtracted when it
 * ends. Each process counts separately.
 */
export class RequestRates {
  readonly #buckets = new Map<string, Bucket>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Number of keys and accounts whose use is counted. */
  get ownerCount(): number {
    return this.#buckets.size
  }

  /** Counts a request. If a limit is reached, throws an `AppError` and counts nothing. */
  admit(owner: RateLimitOwner): void {
    const limitedBuckets = this.#limitedBucketsOf(owner)
    for (const { subject, limits, bucket } of limitedBuckets) {
      refuseAtLimit(subject, 'requests', limits.requestsPerMinuteMax, bucket.requests - 1)
      refuseAtLimit(subject, 'tokens', limits.tokensPerMinuteMax, bucket.tokens - 1)
    }
    for (const { bucket } of limitedBuckets) bucket.requests -= 1
  }

  /** Counts the tokens of a request that has ended. */
  recordTokens(owner: RateLimitOwner, tokens: number): void {
    for (const { bucket } of this.#limitedBucketsOf(owner)) bucket.tokens -= tokens
  }

  #limitedBucketsOf({ keyNo, accountNo, keyRates, accountRates }: RateLimitOwner) {
    const owners = [
      { subject: 'This API key', name: `key ${keyNo}`, limits: keyRates },
      { subject: 'This account', name: `account ${accountNo}`, limits: accountRates },
    ]
    return owners
      .filter(({ limits }) => limits.requestsPerMinuteMax !== null || limits.tokensPerMinuteMax !== null)
      .map(({ subject, name, limits }) => ({ subject, limits, bucket: this.#refilledBucket(name, limits) }))
  }

  #refilledBucket(name: string, { requestsPerMinuteMax, tokensPerMinuteMax }: RateLimits): Bucket {
    const nowMs = this.#nowMs()
    const [requestsMax, tokensMax] = [requestsPerMinuteMax ?? Infinity, tokensPerMinuteMax ?? Infinity]
    const bucket = this.#buckets.get(name) ?? { requests: requestsMax, tokens: tokensMax, tokensMax, refilledAtMs: nowMs }
    const elapsedMinutes = (nowMs - bucket.refilledAtMs) / minuteMs
    bucket.requests = refill(bucket.requests, requestsMax, elapsedMinutes)
    bucket.tokens = refill(bucket.tokens, tokensMax, elapsedMinutes)
    bucket.tokensMax = tokensMax
    bucket.refilledAtMs = nowMs
    if (!this.#buckets.has(name) && this.#buckets.size >= bucketsMax) this.#removeFull(nowMs)
    this.#buckets.set(name, bucket)
    return bucket
  }

  #removeFull(nowMs: number): void {
    for (const [name, bucket] of this.#buckets) {
      if (nowMs - bucket.refilledAtMs >= msUntilFull(bucket)) this.#buckets.delete(name)
    }
  }
}

/** Returns an upper bound of the time from the last refill until the bucket is full. */
function msUntilFull({ tokens, tokensMax }: Bucket): number {
  return tokens >= 0 ? minuteMs : minuteMs * (1 - tokens / tokensMax)
}

function refill(remaining: number, max: number, elapsedMinutes: number): number {
  return max === Infinity ? Infinity : Math.min(max, (remaining === Infinity ? max : remaining) + elapsedMinutes * max)
}

function refuseAtLimit(subject: string, unit: RateUnit, max: number | null, remainingAfter: number): void {
  if (max === null || remainingAfter >= 0) return
  const retrySeconds = Math.max(1, Math.ceil((-remainingAfter / Math.max(1, max)) * 60))
  const quota = `"${unit}-per-minute"`
  throw new AppError(
    'rate_limited',
    `${subject} may use at most ${max} ${unit} per minute; try again in ${retrySeconds} seconds.`,
    {
      headers: {
        'retry-after': String(retrySeconds),
        'ratelimit-policy': `${quota};q=${max};w=60`,
        ratelimit: `${quota};r=0;t=${retrySeconds}`,
      },
    },
  )
}
