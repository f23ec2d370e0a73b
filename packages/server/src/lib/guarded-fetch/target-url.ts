import { UntrustedFetchError } from './untrusted-fetch-error.ts'

const urlCharactersMax = 8192

/**
 * Parses an address or the target of a redirect. The returned URL is both checked and requested.
 */
export function parseTarget(text: string, redirectedFrom?: URL): URL {
  const subject = redirectedFrom === undefined ? 'the address' : 'the address redirects to one that'
  const refuse = (problem: string) => new UntrustedFetchError('invalid_url', `${subject} ${problem}`)
  if (text.length > urlCharactersMax) throw refuse(`is longer than ${urlCharactersMax} characters`)
  const url = URL.parse(text, redirectedFrom?.href)
  if (url === null) throw refuse('is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('does not start with https:// or http://')
  if (url.username !== '' || url.password !== '') throw refuse('contains a user name or password')
  return url
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
