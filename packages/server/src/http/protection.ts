/**
 * Fields of every response, unless its route sets other values. Browsers must believe the declared
 * type, run nothing in the body, and let no page frame it. No cache may store the response, because
 * it may contain a link, a key or a balance.
 */
export const protection = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const
