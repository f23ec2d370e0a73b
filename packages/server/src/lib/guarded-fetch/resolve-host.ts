import { lookup, Resolver } from 'node:dns/promises'

/** Resolves all current addresses of a name. Empty or rejected when it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>

const askMs = 3000
const asksMax = 2

/**
 * Resolves external names by querying the name servers directly. The system's lookup would occupy
 * one of the few threads that file reads share, for as long as an unknown name server takes.
 */
export async function resolveUntrustedHost(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: askMs, tries: asksMax })
  const responses = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
}

/** Resolves names that the operator allowed, with the system's lookup and /etc/hosts. */
export async function resolveAllowedHost(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
