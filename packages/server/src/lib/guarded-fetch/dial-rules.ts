import ipaddr from 'ipaddr.js'
import { forbiddenPorts } from './forbidden-ports.ts'

/**
 * Rules for the hosts to which the guarded fetch may connect: hosts on the public internet, and
 * hosts that the operator allows by name or address, with or without a port, or by range (`minio`,
 * `minio:9000`, `10.1.2.3`, `[fd00::1]:80`, `10.0.0.0/8`). A port of null matches every entry for
 * the host.
 */
export interface DialRules {
  /** Whether an entry allows the name. A public name needs no entry. */
  isListedName(hostname: string, port: number | null): boolean
  /** Whether the address is public, or an entry allows it. Entries for names have no effect. */
  allowsAddress(address: string, port: number | null): boolean
  /**
   * Whether the port belongs to no other protocol (`forbiddenPorts`), or an entry names this host
   * with this port.
   */
  allowsPort(hostname: string, port: number): boolean
}

type AllowRule = { port: number | null } & ({ name: string } | { range: [ipaddr.IPv4 | ipaddr.IPv6, number] })

export function createDialRules(allowHosts: readonly string[]): DialRules {
  const rules = allowHosts.map(parseAllowRule)

  return {
    isListedName: (hostname, port) => rules.some((rule) => matchesPort(rule, port) && matchesName(rule, hostname)),

    allowsAddress(text, port) {
      const address = parseAddress(text)
      if (address === undefined) return false
      return isPublic(address) || rules.some((rule) => matchesPort(rule, port) && matchesAddress(rule, address))
    },

    allowsPort(hostname, port) {
      if (!forbiddenPorts.has(port)) return true
      const address = parseAddress(hostname)
      const matchesHost = (rule: AllowRule) =>
        address === undefined ? matchesName(rule, hostname) : matchesAddress(rule, address)
      return rules.some((rule) => rule.port === port && matchesHost(rule))
    },
  }
}

function matchesPort(rule: AllowRule, port: number | null): boolean {
  return rule.port === null || port === null || rule.port === port
}

function matchesName(rule: AllowRule, hostname: string): boolean {
  return 'name' in rule && rule.name === plainName(hostname)
}

function matchesAddress(rule: AllowRule, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return 'range' in rule && rule.range[0].kind() === address.kind() && address.match(rule.range)
}

/**
 * Whether a host can be rejected without a DNS lookup: it is an address that is not public, or a
 * name that is valid only within a private network, and the operator does not allow it. `hostname`
 * must come from a parsed URL, in which octal, hexadecimal and shortened addresses are normalized.
 * False does not mean that the host is allowed: its resolved addresses are checked when connecting.
 */
export function isForbiddenWithoutLookup(hostname: string, port: number | null, rules: DialRules): boolean {
  if (parseAddress(hostname) !== undefined) return !rules.allowsAddress(hostname, port)
  return isPrivateName(plainName(hostname)) && !rules.isListedName(hostname, port)
}

export function isLiteralAddress(hostname: string): boolean {
  return parseAddress(hostname) !== undefined
}

// Names that public DNS never resolves (RFC 6761, 6762, 8375, ICANN's .internal). Names without a
// dot are checked below.
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa', 'localdomain']

function isPrivateName(name: string): boolean {
  return !name.includes('.') || privateSuffixes.some((ending) => name.endsWith(`.${ending}`))
}

function plainName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}

// The only part of IPv6 that is assigned for public use. IPv4-mapped, unique local, link-local and
// site-local addresses are outside of it. `range()` excludes special ranges within it, such as 6to4
// and Teredo.
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')
// The address of Azure's host service for virtual machines. It is in a public range, but not on the
// public internet.
const azureHostService = '168.63.129.16'

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  // `range()` returns `unicast` only for an ordinary address. Special ranges have other names, such
  // as private, loopback, carrierGradeNat, ipv4Mapped, rfc6052, 6to4 and teredo.
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(publicIpv6) : address.toString() !== azureHostService
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const address = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  // Only four decimal parts count. Parsed URLs have no other form, and an entry such as `10` is a
  // name.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  return address.includes(':') && ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : undefined
}

const namePattern = /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?$/

function parseAllowRule(entry: string): AllowRule {
  const text = entry.trim().toLowerCase()
  if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text), port: null }
  const single = singleAddressRange(text)
  if (single !== undefined) return { range: single, port: null }

  const [, host = '', portText] = /^(.+?)(?::([0-9]{1,5}))?$/.exec(text) ?? []
  const port = portText === undefined ? null : Number(portText)
  const range = singleAddressRange(host)
  if (port === null || (port > 0 && port < 65_536)) {
    if (range !== undefined) return { range, port }
    if (namePattern.test(host)) return { name: host, port }
  }
  throw new RangeError(`${JSON.stringify(entry)} is not a host, host:port, address or range such as 10.0.0.0/8`)
}

function singleAddressRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const address = parseAddress(text)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}
