import { lookup, Resolver } from 'node:dns/promises'

/**
 * Looks up all current addresses of a name. Resolves to an empty list or rejects if the name has
 * none.
 */
export type ResolveHost = (hostname: string) => Promise<string[]>

const lookupTimeoutMs = 3000
const lookupsMax = 2

/**
 * Resolves external names by querying the name servers directly. Until a name server responds, the
 * system's lookup would occupy one of the few threads that it shares with file reads.
 */
export async function resolveUntrustedHost(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: lookupTimeoutMs, tries: lookupsMax })
  const responses = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
}

/**
 * Resolves names that the operator has allowed, with the system's lookup, which reads /etc/hosts.
 */
export async function resolveAllowedHost(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
