/**
 * Whether a link leads to this machine or a private network. The AI SDK's default download function
 * rejects such links.
 */
export function isLocalAddress(link: string): boolean {
  const host = new URL(link).hostname.replaceAll(/^\[|\]$/g, '').toLowerCase()
  if (host.includes(':')) return /^(::1?$|f[cd]|fe[89ab]|::ffff:)/.test(host)
  const numbers = host.split('.').map(Number)
  if (numbers.length === 4 && numbers.every((number) => Number.isInteger(number))) return isPrivateIpv4(numbers)
  // A name without a dot belongs to a local network.
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa|lan)$/.test(host)
}

function isPrivateIpv4([first = 0, second = 0]: number[]): boolean {
  return (
    [0, 10, 127].includes(first) ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  )
}
