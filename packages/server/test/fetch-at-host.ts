import { request } from 'undici'

/**
 * Sends a request with a Host header that differs from the URL. `fetch` always derives the header
 * from the URL.
 */
export async function fetchAtHost(url: string, host: string, init: RequestInit = {}): Promise<Response> {
  const { statusCode, headers, body } = await request(url, {
    method: init.method ?? 'GET',
    headers: { ...(init.headers as Record<string, string>), host },
    body: (init.body ?? null) as string | null,
  })
  const bytes = Buffer.from(await body.arrayBuffer())
  return new Response(bytes.length === 0 ? null : bytes, {
    status: statusCode,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((line): [string, string] => [name, line]),
    ),
  })
}
