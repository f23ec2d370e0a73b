import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import { resolveAndCheck, connectMs, headerBytesMax, requireDialable, toUntrustedFetchError, userAgent } from './dial.ts'
import { createDialRules, type DialRules } from './dial-rules.ts'
import type { ResolveHost } from './resolve-host.ts'
import { parseTarget } from './target-url.ts'

/**
 * Sends requests to addresses from clients, with the checks of the guarded fetch. Connections are
 * kept open for the channel's lifetime. Each new connection resolves the name again and uses only
 * addresses that pass the checks. Redirects are not followed.
 */
export interface GuardedChannel extends AsyncDisposable {
  /**
   * Resolves with the response, regardless of its status. Rejects with an `UntrustedFetchError`,
   * or with the reason of the caller's signal.
   */
  post(url: string, request: PostRequest): Promise<PostResponse>
}

export interface PostRequest {
  body: string
  headers: Readonly<Record<string, string>>
  /** Time limit of the request, including its response. */
  timeoutMs: number
  /** At most this many bytes of the response body are read. */
  bytesMax: number
  signal: AbortSignal
}

export interface PostResponse {
  status: number
  headers: Dispatcher.ResponseData['headers']
  /** The beginning of the body: at most `bytesMax`, or less if the rest does not arrive in time. */
  body: Buffer
}

export interface GuardedChannelSettings {
  /** Private hosts that are allowed, each as host, host:port, address or range. */
  allowHosts: readonly string[]
  resolver?: ResolveHost
}

export type OpenGuardedChannel = () => GuardedChannel

/** Maximum number of connections to one origin. */
const connectionsMax = 16

export function createOpenGuardedChannel({ allowHosts, resolver }: GuardedChannelSettings): OpenGuardedChannel {
  const rules = createDialRules(allowHosts)
  return () => openChannel(rules, resolver)
}

/**
 * Returns a function that resolves the host of an address and checks it, without connecting to it.
 * It rejects with an `UntrustedFetchError`.
 */
export function createRequireAllowedAddress({ allowHosts, resolver }: GuardedChannelSettings): (url: string) => Promise<void> {
  const rules = createDialRules(allowHosts)
  return async (url) => {
    const target = parseTarget(url)
    requireDialable(target, rules)
    await resolveAndCheck(target, rules, resolver)
  }
}

function openChannel(rules: DialRules, resolver: ResolveHost | undefined): GuardedChannel {
  const pools = new Map<string, Pool>()

  async function poolOf(target: URL): Promise<Pool> {
    const { Pool } = await import('undici')
    let pool = pools.get(target.origin)
    if (pool === undefined) {
      pool = new Pool(target.origin, {
        connections: connectionsMax,
        connect: { lookup: guardedLookup(target, rules, resolver), autoSelectFamily: true, timeout: connectMs },
        allowH2: false,
        maxHeaderSize: headerBytesMax,
        // The deadline of each request covers both phases.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      pools.set(target.origin, pool)
    }
    return pool
  }

  return {
    async post(url, { body, headers, timeoutMs, bytesMax, signal: callerSignal }) {
      const deadline = AbortSignal.timeout(timeoutMs)
      const signal = AbortSignal.any([callerSignal, deadline])
      try {
        signal.throwIfAborted()
        const target = parseTarget(url)
        requireDialable(target, rules)
        const pool = await poolOf(target)
        const response = await pool.request({
          method: 'POST',
          path: target.pathname + target.search,
          headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': userAgent },
          body,
          signal,
        })
        return {
          status: response.statusCode,
          headers: response.headers,
          body: await readBeginning(response.body, bytesMax),
        }
      } catch (cause) {
        throw callerSignal.aborted ? callerSignal.reason : toUntrustedFetchError(cause, deadline)
      }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** Reads up to `bytesMax` bytes. If the connection is lost, returns the bytes that have arrived. */
async function readBeginning(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let receivedBytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      receivedBytes += chunk.byteLength
      if (receivedBytes >= bytesMax) break
    }
  } catch {
    // Ignored, because the status has already arrived, and the outcome depends only on it.
  }
  return Buffer.concat(chunks).subarray(0, bytesMax)
}

/**
 * Returns a lookup function that checks the resolved addresses, for each new connection to a name.
 * Literal addresses are checked before the request.
 */
function guardedLookup(target: URL, rules: DialRules, resolver: ResolveHost | undefined): LookupFunction {
  return (_hostname, { all }, respond) => {
    void resolveAndCheck(target, rules, resolver)
      .then((addresses) => {
        const resolvedAddresses = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        return all
          ? respond(null, resolvedAddresses)
          : respond(null, resolvedAddresses[0]?.address ?? '', resolvedAddresses[0]?.family)
      })
      .catch((error: NodeJS.ErrnoException) => respond(error, ''))
  }
}
