function metaOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null
}

/** The brand of the host, as the page of the service names it. */
export const brand = {
  name: metaOf('application-name') ?? '',
  color: metaOf('brand-color'),
  logo: metaOf('brand-logo'),
  /** Nothing that clients of the brand see names the product. */
  isWhiteLabel: metaOf('white-label') === 'true',
}

/** Environment variable of the key in samples. A brand that is not white-label has the product's name. */
export const keyVariable = brand.isWhiteLabel ? 'API_KEY' : `${brand.name.toUpperCase()}_API_KEY`

/** Base URL of the API at the address under which the console was opened. */
export const apiBase = `${location.origin}${metaOf('api-path') ?? '/api'}`

/**
 * The address of a file at the origin of the console. The page may show media of this origin only,
 * and a brand's links may name another host of the same service.
 */
export function mediaUrl(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
