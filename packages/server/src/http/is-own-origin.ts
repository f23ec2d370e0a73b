import type { IncomingMessage } from 'node:http'
import { requestedHost } from './brand-of.ts'

/** Whether an `Origin` header names the host to which the request was sent. */
export function isOwnOrigin(request: IncomingMessage, origin: string): boolean {
  return URL.parse(origin)?.host === requestedHost(request)?.toLowerCase()
}
