import { isForbiddenWithoutLookup, isLiteralAddress, type DialRules } from './dial-rules.ts'
import { resolveAllowedHost, resolveUntrustedHost, type ResolveHost } from './resolve-host.ts'
import { portOf } from './target-url.ts'
import { UntrustedFetchError } from './untrusted-fetch-error.ts'

/** Maximum number of addresses of a host to which a connection is tried. */
const addressesDialedMax = 8
export const connectMs = 10_000
export const headerBytesMax = 16 * 1024
/** The servers of clients see this header, so it does not mention the product. */
export const userAgent = 'media-gateway'

export function requireDialable(target: URL, rules: DialRules): void {
  const port = portOf(target)
  if (isForbiddenWithoutLookup(target.hostname, port, rules)) throw notPublicError()
  if (!rules.allowsPort(target.hostname, port)) {
    throw new UntrustedFetchError('forbidden_port', 'the port of the address belongs to another protocol')
  }
}

/**
 * Returns up to eight addresses of the host. Rejects unless the rules allow the name or every
 * address of the host.
 */
export async function resolveAndCheck(target: URL, rules: DialRules, resolver: ResolveHost | undefined): Promise<string[]> {
  const { hostname } = target
  const port = portOf(target)
  if (isLiteralAddress(hostname)) return [hostname]
  const isAllowed = rules.isListedName(hostname, port)
  const resolve = resolver ?? (isAllowed ? resolveAllowedHost : resolveUntrustedHost)
  const addresses = await resolve(hostname).catch((cause: unknown) => {
    throw new UntrustedFetchError('unresolvable', 'the host of the address cannot be found', { cause })
  })
  if (addresses.length === 0) throw new UntrustedFetchError('unresolvable', 'the host of the address cannot be found')
  if (!isAllowed && !addresses.every((address) => rules.allowsAddress(address, port))) throw notPublicError()
  return addresses.slice(0, addressesDialedMax)
}

export function toUntrustedFetchError(cause: unknown, deadline: AbortSignal): UntrustedFetchError {
  if (cause instanceof UntrustedFetchError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (deadline.aborted || code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') {
    return new UntrustedFetchError('timed_out', 'the server at the address did not respond in time', { cause })
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new UntrustedFetchError('bad_response', 'the response headers of the address are too large', { cause })
  }
  // The response has an invalid length or two lengths. A retry would get the same response.
  if ((cause instanceof Error && cause.name === 'HTTPParserError') || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return new UntrustedFetchError('bad_response', 'the response of the address is not valid HTTP', { cause })
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'UND_ERR_ABORTED') {
    return new UntrustedFetchError('interrupted', 'the connection to the address was lost', { cause })
  }
  return new UntrustedFetchError('unreachable', 'no connection to the address could be established', { cause })
}

function notPublicError(): UntrustedFetchError {
  return new UntrustedFetchError('forbidden_address', 'the address is not on a public host')
}
