/** The name in a Host header, to look it up: lower case, without port and without the dot of the root. Whatever is sent. */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end > 0 ? host.slice(0, end) : host
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

const hostCharactersMax = 253

/** The host name that a person means, spelt as clients send it: `Bücher.example.` is `xn--bcher-kva.example`. Null: it is none. */
export function canonicalHostName(text: string): string | null {
  const url = /[/?#@\\\s]|:\d*$/.test(text) || text === '' ? null : URL.parse(`http://${text}`)
  const name = url === null ? '' : hostNameOf(url.hostname)
  return name !== '' && name.length <= hostCharactersMax ? name : null
}

/** Scheme, host and port, as they are compared. Null: it is no origin that links can have. */
export function canonicalOrigin(text: string): string | null {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null
}
