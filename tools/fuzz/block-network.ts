import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, Socket } from 'node:net'

/**
 * Restricts a fuzzed service to the local machine: it resolves and connects to no other host,
 * because a fuzzed image or upstream URL may belong to a third party.
 */
const refusal = (address: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${address} is not on this machine, and a fuzzed service may reach only its own machine`), {
    code: 'ENETUNREACH',
  })

const isLoopback = (host: string): boolean => /^(127\.|::1$|localhost$)/.test(host)

// Called with a socket as `this` below.
// oxlint-disable-next-line typescript/unbound-method
const connect = Socket.prototype.connect
Socket.prototype.connect = function connectToLoopback(this: Socket, ...connectArguments: unknown[]) {
  // Node passes its own normalized arguments as a nested list.
  const [target, name] = connectArguments.flat()
  const hostOption = typeof target === 'object' && target !== null && 'host' in target ? target.host : name
  const host = typeof hostOption === 'string' ? hostOption : 'localhost'
  if (isIP(host) === 0 || isLoopback(host)) return Reflect.apply(connect, this, connectArguments) as Socket
  return this.destroy(refusal(host))
}

const refuseLookup = async (hostname: string): Promise<never> => {
  throw refusal(hostname)
}
dns.promises.Resolver.prototype.resolve4 = refuseLookup
dns.promises.Resolver.prototype.resolve6 = refuseLookup

const { lookup } = dns.promises
dns.promises.lookup = ((hostname: string, options: object) =>
  isLoopback(hostname) ? lookup(hostname, options) : refuseLookup(hostname)) as typeof lookup

const lookUp = dns.lookup
dns.lookup = ((hostname: string, ...rest: unknown[]) => {
  if (isLoopback(hostname)) return Reflect.apply(lookUp, dns, [hostname, ...rest]) as unknown
  const callback = rest.at(-1) as (error: Error) => void
  return callback(refusal(hostname))
}) as typeof lookUp
syncBuiltinESMExports()
