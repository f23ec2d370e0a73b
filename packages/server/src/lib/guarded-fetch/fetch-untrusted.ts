import { isIPv6, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { Client } from 'undici'
import { orAborted } from '../or-aborted.ts'
import { resolveAndCheck, connectMs, headerBytesMax, requireDialable, toUntrustedFetchError, userAgent } from './dial.ts'
import { createDialRules } from './dial-rules.ts'
import type { ResolveHost } from './resolve-host.ts'
import { parseTarget } from './target-url.ts'
import { limitBody, contentTypeOf, redirectTarget, requireAcceptableResponse } from './untrusted-response.ts'
import { UntrustedFetchError } from './untrusted-fetch-error.ts'

/**
 * The only function that fetches files from addresses that clients or upstreams have sent. Each
 * hop, including redirects, passes these steps:
 *
 *   check    only http(s), no credentials, no port of another protocol, no private or internal host
 *   resolve  the operator allows the name, or each of its addresses is public or allowed
 *   dial     only the checked addresses are dialed; the name is not resolved a second time
 *   read     size, silence and total time are limited; the bytes are never decompressed
 *
 * No headers or cookies are carried from hop to hop, and no connection outlives its request.
 */
export type FetchUntrusted = (url: string, options: FetchUntrustedOptions) => Promise<FetchedUntrusted>

export interface FetchUntrustedOptions {
  bytesMax: number
  /** Time limit for all hops together, including the body. */
  timeoutMs: number
  signal: AbortSignal
  /**
   * The Accept header. Servers may ignore it, so the caller must check the contents of the
   * response.
   */
  accept?: string
  /** Maximum number of redirects. Default: 5. */
  redirectsMax?: number
}

export interface FetchedUntrusted {
  /**
   * Fails with an `UntrustedFetchError`, or with the signal's reason. The caller must read or
   * destroy it.
   */
  stream: Readable
  /** The content type in lower case, without parameters. Null when the server sends none. */
  contentType: string | null
  finalUrl: string
  status: number
}

export interface FetchUntrustedSettings {
  /** Private hosts that are allowed, each as host, host:port, address or range. */
  allowHosts: readonly string[]
  resolver?: ResolveHost
  /** Maximum time without receiving a byte. Default: 20 s. */
  silenceMs?: number
}

const redirectsMaxDefault = 5
const silenceMsDefault = 20_000

export function createFetchUntrusted(settings: FetchUntrustedSettings): FetchUntrusted {
  const { allowHosts, resolver, silenceMs = silenceMsDefault } = settings
  const rules = createDialRules(allowHosts)

  async function openClient(target: URL, addresses: string[]): Promise<Client> {
    const { Client } = await import('undici')
    return new Client(target.origin, {
      connect: { lookup: lookupAmong(addresses), autoSelectFamily: true, timeout: connectMs },
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    })
  }

  return async function fetchUntrusted(url, options) {
    const { bytesMax, redirectsMax = redirectsMaxDefault, accept = '*/*' } = options
    const deadline = AbortSignal.timeout(options.timeoutMs)
    const signal = AbortSignal.any([options.signal, deadline])
    const toError = (cause: unknown): unknown =>
      options.signal.aborted ? options.signal.reason : toUntrustedFetchError(cause, deadline)

    let target = parseTarget(url)
    for (let redirects = 0; ; redirects++) {
      let client: Client | undefined
      let stream: Readable | undefined
      try {
        signal.throwIfAborted()
        requireDialable(target, rules)
        client = await openClient(target, await orAborted(resolveAndCheck(target, rules, resolver), signal))
        const response = await client.request({
          method: 'GET',
          path: target.pathname + target.search,
          headers: { accept, 'accept-encoding': 'identity', 'user-agent': userAgent },
          signal,
        })
        // An abort may destroy the body before it is read. Without a listener, the error would be
        // uncaught; the later read still reports it.
        response.body.on('error', () => {})
        const location = redirectTarget(response)
        if (location === undefined) {
          requireAcceptableResponse(response, bytesMax)
          stream = Readable.from(limitBody(response.body, bytesMax, toError), { objectMode: false })
          const openedClient = client
          stream.once('close', () => void openedClient.destroy())
          return { stream, contentType: contentTypeOf(response), finalUrl: target.href, status: response.statusCode }
        }
        if (redirects === redirectsMax) {
          throw new UntrustedFetchError('too_many_redirects', `the address redirects more than ${redirectsMax} times`)
        }
        target = parseTarget(location, target)
      } catch (cause) {
        throw toError(cause)
      } finally {
        if (stream === undefined) void client?.destroy()
      }
    }
  }
}

/**
 * Returns a lookup function that returns the checked addresses instead of querying DNS. It is not
 * called for literal addresses.
 */
function lookupAmong(addresses: string[]): LookupFunction {
  const resolvedAddresses = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_hostname, { all }, respond) => {
    const [firstAddress] = resolvedAddresses
    if (all) respond(null, resolvedAddresses)
    else respond(null, firstAddress?.address ?? '', firstAddress?.family)
  }
}
