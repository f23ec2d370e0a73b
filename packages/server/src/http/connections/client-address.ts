import type { FastifyRequest } from 'fastify'
import { createDialRules } from '../../lib/guarded-fetch/dial-rules.ts'
import { truncate } from '../../lib/truncate.ts'

const dialRules = createDialRules([])
const addressCharactersMax = 64

/**
 * Returns the address of a client, for limits. If a proxy at a private address has sent the request,
 * this is the last address in `X-Forwarded-For`, which the proxy adds. Clients can choose only the
 * addresses before it. For a connection from a public address, the header is ignored.
 */
export function clientAddressOf({ ip, raw: { headers } }: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  const forwardedFor = [headers['x-forwarded-for'] ?? ''].flat().join(',')
  const lastAddress = forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim()
  return lastAddress === '' || dialRules.allowsAddress(ip, null) ? ip : truncate(lastAddress, addressCharactersMax)
}
