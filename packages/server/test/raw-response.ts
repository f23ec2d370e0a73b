import type { Exchange } from './documented-responses.ts'

/**
 * Parses the bytes sent and received on a raw socket into an exchange. An invalid request counts as
 * `GET /`.
 */
export function readRawResponse(baseUrl: string, requestText: string, received: string): Exchange {
  const [, method = 'GET', target = '/'] = /^([A-Z]+) (?:http:\/\/[^/\s]*)?(\/\S*) HTTP/.exec(requestText) ?? []
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n')
  return {
    baseUrl,
    method,
    url: new URL(target, baseUrl).href,
    requestHeaders: new Headers(),
    status: Number(statusLine.split(' ')[1]),
    headers: lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
    }),
    text: received.slice(end + 4),
  }
}
