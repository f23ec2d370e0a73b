type Send = (url: string, init: RequestInit) => Promise<Response>

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const redirectsMax = 20

/**
 * Returns a `fetch` that adds headers to requests to the service, but not to requests to other
 * hosts. A result link may lead to another host, directly or by a redirect. `fetch` itself would
 * also send the headers after a redirect, so this function follows the redirects of the service.
 */
export function createServiceFetch(send: Send, addedHeaders: Readonly<Record<string, string>>, baseUrlOf: () => string): Send {
  const isServiceUrl = (url: string): boolean => new URL(url).origin === new URL(baseUrlOf()).origin

  return async (url, init) => {
    const headers = { ...addedHeaders, ...(init.headers as Record<string, string> | undefined) }
    let target = url
    for (let redirects = 0; isServiceUrl(target); redirects++) {
      if (init.redirect === 'manual') return await send(target, { ...init, headers })
      const response = await send(target, { ...init, headers, redirect: 'manual' })
      // Browsers hide the location of a redirect.
      if (response.type === 'opaqueredirect') break
      const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null
      if (location === null) return response
      if (redirects === redirectsMax) throw new TypeError('the service redirects too often')
      await response.body?.cancel()
      target = new URL(location, target).href
    }
    return await send(target, init)
  }
}
