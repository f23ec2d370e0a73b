import { WrongBrand } from './wrong-brand.ts'

/** The name in a Host header, to look it up: lower case, without port and without the dot of the root. Whatever is sent. */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end > 0 ? host.slice(0, end) : host
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

const hostCharactersMax = 253

/** The host name that a person means, spelt as clients send it: `Bücher.example.` is `xn--bcher-kva.example`. */
export function readHostName(text: string): string {
  const url = /[/?#@\\\s]|:\d*$/.test(text) || text === '' ? null : URL.parse(`http://${text}`)
  const name = url === null ? '' : hostNameOf(url.hostname)
  if (name !== '' && name.length <= hostCharactersMax) return name
  throw new WrongBrand(`A host is a name such as studio.example.com, without scheme, port and path, not ${JSON.stringify(text)}.`)
}
