/**
 * Normalizes any Host header to a name for look-up: lower case, without the port and the trailing
 * dot.
 */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end > 0 ? host.slice(0, end) : host
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

const hostCharactersMax = 253

/**
 * Converts a typed host name to the spelling that clients send: `Bücher.example.` becomes
 * `xn--bcher-kva.example`. Null if the text is not a host name.
 */
export function canonicalHostName(text: string): string | null {
  const url = /[/?#@\\\s]|:\d*$/.test(text) || text === '' ? null : URL.parse(`http://${text}`)
  const name = url === null ? '' : hostNameOf(url.hostname)
  return name !== '' && name.length <= hostCharactersMax ? name : null
}

/**
 * Scheme, host and port in canonical form for comparison. Null if the text is not an HTTP origin
 * that links can use.
 */
export function canonicalOrigin(text: string): string | null {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null
}
