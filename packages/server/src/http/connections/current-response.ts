import type { Duplex } from 'node:stream'

/** The part of Node's `ServerResponse` that is used here. */
interface CurrentResponse {
  /** Whether the headers have been written to the connection. */
  _headerSent: boolean
}

/**
 * Returns the response in progress on a connection, or null if there is none. Node stores it on the
 * socket, but has no public property for it.
 */
export function currentResponse(socket: Duplex): CurrentResponse | null {
  return (socket as Duplex & { _httpMessage?: CurrentResponse | null })._httpMessage ?? null
}
