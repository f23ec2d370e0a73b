/** The method and the header fields that determine the response for a stored file. */
export interface MediaRequest {
  method: 'GET' | 'HEAD'
  range: string | undefined
  ifRange: string | undefined
  ifNoneMatch: string | undefined
}

export interface ServedFile {
  sizeBytes: number
  /** SHA-256 in lower-case hex. */
  sha256: string
  contentType: string
  fileName: string
  /** Time for which a cache may reuse the response, at most the lifetime of the link. */
  maxAgeSeconds: number
}

export interface MediaResponse {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  /** Range of the bytes to send, including both ends. Null: no bytes. */
  body: { start: number; end: number } | null
}

// The file is untrusted, so the policy forbids all code execution. The browser's built-in viewer
// can still show an image or video.
const contentSecurityPolicy = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

/**
 * Computes the HTTP response for a stored file (RFC 9110, sections 13 and 14), as plain values. The
 * caller has checked the signature of the link, and sends `headers` with the bytes of `body`.
 *
 *   If-None-Match contains the file's ETag          304
 *   Range of one part, and If-Range is absent
 *   or equals the ETag                              206, or 416 if no byte of the file is in the part
 *   no Range, several parts, an unknown unit or
 *   form, If-Range that does not match              200, the complete file
 *
 * Range applies only to GET. The response to HEAD is that of a GET without Range.
 */
export function createMediaResponse(request: MediaRequest, file: ServedFile): MediaResponse {
  const etag = `"${file.sha256}"`
  const commonHeaders = {
    ETag: etag,
    'Cache-Control': `private, max-age=${Math.max(0, Math.floor(file.maxAgeSeconds))}`,
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (request.ifNoneMatch !== undefined && namesEtag(request.ifNoneMatch, etag)) {
    return { status: 304, headers: commonHeaders, body: null }
  }

  const responseHeaders = {
    ...commonHeaders,
    'Content-Type': file.contentType,
    'Content-Disposition': `inline; filename="${file.fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`,
  }
  const part =
    request.method === 'GET' && ifRangeMatches(request.ifRange, etag) ? parseRange(request.range, file.sizeBytes) : 'whole'
  if (part === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...commonHeaders, 'Content-Range': `bytes */${file.sizeBytes}`, 'Content-Length': '0' },
      body: null,
    }
  }
  if (part === 'whole') {
    const hasBody = request.method === 'GET' && file.sizeBytes > 0
    return {
      status: 200,
      headers: { ...responseHeaders, 'Content-Length': String(file.sizeBytes) },
      body: hasBody ? { start: 0, end: file.sizeBytes - 1 } : null,
    }
  }
  return {
    status: 206,
    headers: {
      ...responseHeaders,
      'Content-Range': `bytes ${part.start}-${part.end}/${file.sizeBytes}`,
      'Content-Length': String(part.end - part.start + 1),
    },
    body: part,
  }
}

/**
 * Whether `If-None-Match` contains the ETag. The comparison is weak, because an intermediate cache
 * may have marked the ETag as weak.
 */
function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}

/**
 * Whether If-Range is absent or matches. The comparison is strong. A date never matches, because
 * this service sends no Last-Modified.
 */
function ifRangeMatches(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}

const rangePattern = /^bytes=[ \t]*([0-9]{0,15})-([0-9]{0,15})[ \t]*$/i

function parseRange(range: string | undefined, sizeBytes: number): { start: number; end: number } | 'whole' | 'unsatisfiable' {
  const rangeMatch = range === undefined ? null : rangePattern.exec(range)
  if (rangeMatch === null) return 'whole'
  const [, from = '', to = ''] = rangeMatch
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const lastBytes = Math.min(Number(to), sizeBytes)
    return lastBytes === 0 ? 'unsatisfiable' : { start: sizeBytes - lastBytes, end: sizeBytes - 1 }
  }
  const start = Number(from)
  const end = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (to !== '' && Number(to) < start) return 'whole'
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
