/**
 * Whether `If-None-Match` matches this ETag (RFC 9110, section 13.1.2), by weak comparison.
 * Supports lists and `*`.
 */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const expected = withoutWeakMark(etag)
  return ifNoneMatch.split(',').some((entry) => withoutWeakMark(entry.trim()) === expected)
}

function withoutWeakMark(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag
}
