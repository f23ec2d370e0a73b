/**
 * On every answer, unless its route says something stricter or has to say something else: it is what its type says, nothing in it
 * may run, no page may frame it, and no cache keeps it, for it may hold a link, a key or a balance.
 */
export const protection = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const
