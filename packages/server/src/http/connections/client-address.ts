import type { FastifyRequest } from 'fastify'
import type { AttemptSource } from '../../auth/sign-in-attempts.ts'
import { createDialRules } from '../../lib/guarded-fetch/dial-rules.ts'
import { truncate } from '../../lib/truncate.ts'

const dialRules = createDialRules([])
const addressCharactersMax = 64

/**
 * Returns the address of a client, for limits. If a request comes from a private address, this is
 * the last address in `X-Forwarded-For`, which a proxy adds. Clients behind a proxy can forge only
 * the addresses before the last one. A client in the private network can forge all of them. The
 * header of a request from a public address is ignored.
 */
export function clientAddressOf({ raw: { headers, socket } }: Pick<FastifyRequest, 'raw'>): AttemptSource {
  // A socket that listens on `::` has IPv4-mapped addresses. A closed socket has no address.
  const address = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  const forwardedFor = [headers['x-forwarded-for'] ?? ''].flat().join(',')
  const lastAddress = withoutPort(forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim())
  if (lastAddress === '' || dialRules.allowsAddress(address, null)) return { client: address, proxy: null }
  return { client: truncate(lastAddress, addressCharactersMax), proxy: address }
}

/** Some proxies add the port, which differs between the connections of a client. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1')
}
