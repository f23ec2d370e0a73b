/**
 * Fields of every response, unless its route sets stricter or other values. The body is of its
 * declared type, nothing in it may run, no page may frame it, and no cache may store it, because it
 * may hold a link, a key or a balance.
 */
export const protection = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const
