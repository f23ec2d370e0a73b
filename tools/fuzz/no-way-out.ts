import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, Socket } from 'node:net'

/**
 * Loaded into a fuzzed service. The service then resolves and connects to the local machine only,
 * because a fuzzed address of an image or an upstream may belong to a stranger.
 */
const refusal = (what: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${what} is not on this machine, and a fuzzed service may reach only its own machine`), {
    code: 'ENETUNREACH',
  })

const isHere = (host: string): boolean => /^(127\.|::1$|localhost$)/.test(host)

// Applied to its socket below.
// oxlint-disable-next-line typescript/unbound-method
const connect = Socket.prototype.connect
Socket.prototype.connect = function connectHere(this: Socket, ...given: unknown[]) {
  // Node passes its own normalized arguments as a nested list.
  const [target, name] = given.flat()
  const named = typeof target === 'object' && target !== null && 'host' in target ? target.host : name
  const host = typeof named === 'string' ? named : 'localhost'
  if (isIP(host) === 0 || isHere(host)) return Reflect.apply(connect, this, given) as Socket
  return this.destroy(refusal(host))
}

const findNothing = async (hostname: string): Promise<never> => {
  throw refusal(hostname)
}
dns.promises.Resolver.prototype.resolve4 = findNothing
dns.promises.Resolver.prototype.resolve6 = findNothing

const { lookup } = dns.promises
dns.promises.lookup = ((hostname: string, options: object) =>
  isHere(hostname) ? lookup(hostname, options) : findNothing(hostname)) as typeof lookup

const lookUp = dns.lookup
dns.lookup = ((hostname: string, ...rest: unknown[]) => {
  if (isHere(hostname)) return Reflect.apply(lookUp, dns, [hostname, ...rest]) as unknown
  const callback = rest.at(-1) as (error: Error) => void
  return callback(refusal(hostname))
}) as typeof lookUp
syncBuiltinESMExports()
