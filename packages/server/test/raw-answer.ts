import type { Exchange } from './documented-answers.ts'

/** What was sent and received on a bare socket, as an exchange. Requests that are none count as a GET of nothing. */
export function readRawAnswer(baseUrl: string, sent: string, received: string): Exchange {
  const [, method = 'GET', target = '/'] = /^([A-Z]+) (?:http:\/\/[^/\s]*)?(\/\S*) HTTP/.exec(sent) ?? []
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
