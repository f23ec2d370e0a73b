/**
 * Default security headers of every response. Browsers must use the declared content type, must not
 * execute code in the body, and must not let a page frame it. Caches must not store the response,
 * because it may contain a link, a key or a balance.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const
