import { lookup, Resolver } from 'node:dns/promises'

/** Every address that a name has now. Empty or rejected when it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>

const askMs = 3000
const asksMax = 2

/**
 * For names from outside: asks the name servers directly. The system's own look-up would hold one of the few threads that
 * file reads share, for as long as a stranger's name server cares to wait.
 */
export async function resolveUntrustedHost(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: askMs, tries: asksMax })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** For names that the operator allowed: as any other program on this machine finds them, /etc/hosts included. */
export async function resolveAllowedHost(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}
