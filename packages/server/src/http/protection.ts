/**
 * Header fields of every response, unless its route sets other values. They make browsers use the
 * declared content type, run no code in the body, and let no page frame the body. No cache may
 * store the response, because the response may contain a link, a key or a balance.
 */
export const protection = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const
