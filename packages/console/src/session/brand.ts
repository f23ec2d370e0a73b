function metaOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null
}

/**
 * The brand (a storefront with its own hosts) of this host, from the page that the service sends.
 */
export const brand = {
  name: metaOf('application-name') ?? '',
  color: metaOf('brand-color'),
  logo: metaOf('brand-logo'),
  /** Whether the brand is white-label: nothing that its clients see names the product. */
  isWhiteLabel: metaOf('white-label') === 'true',
}

/**
 * Environment variable for the API key in samples. It contains the product's name unless the brand
 * is white-label.
 */
export const keyVariable = brand.isWhiteLabel ? 'API_KEY' : `${brand.name.toUpperCase()}_API_KEY`

/** Base URL of the API, at the origin of the console. */
export const apiBase = `${location.origin}${metaOf('api-path') ?? '/api'}`

/**
 * Returns the URL of a file at the origin of the console. The page may load media only from this
 * origin, and a brand's links may name another host of the same service.
 */
export function mediaUrl(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
