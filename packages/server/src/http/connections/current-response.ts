import type { Duplex } from 'node:stream'

/** Part of Node's `ServerResponse` that has no public property. */
interface CurrentResponse {
  /** Whether the header has been written to the connection. */
  _headerSent: boolean
}

/**
 * Returns the response in progress on a connection. Node stores it on the socket, but has no public
 * property for it.
 */
export function currentResponse(socket: Duplex): CurrentResponse | null {
  return (socket as Duplex & { _httpMessage?: CurrentResponse | null })._httpMessage ?? null
}
