import { request, type Dispatcher } from 'undici'

/**
 * Sends a request with a given Host header. `fetch` cannot do this: it derives the header from the
 * URL. With `isEndless`, only the beginning of the response is read.
 */
export async function fetchAtHost(
  url: string,
  host: string,
  init: RequestInit = {},
  { isEndless = false } = {},
): Promise<Response> {
  const { statusCode, headers, body } = await request(url, {
    method: init.method ?? 'GET',
    headers: { ...(init.headers as Record<string, string>), host },
    body: (init.body ?? null) as string | null,
  })
  const bytes = isEndless ? await firstPartOf(body) : Buffer.from(await body.arrayBuffer())
  return new Response(bytes.length === 0 ? null : bytes, {
    status: statusCode,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((line): [string, string] => [name, line]),
    ),
  })
}

async function firstPartOf(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  for await (const part of body as AsyncIterable<Buffer>) return part
  return Buffer.alloc(0)
}
