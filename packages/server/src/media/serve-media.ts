/**
 * The HTTP response for one stored file (RFC 9110, sections 13 and 14), as plain values: the HTTP
 * layer has checked the signature, and sends `headers` with the bytes of `body`.
 *
 *   If-None-Match names our ETag                    304
 *   Range of one part, and If-Range agrees          206, or 416 when the part lies behind the end
 *   no Range, several parts, an unknown unit or
 *   form, If-Range of other contents                200, the whole file
 *
 * Range applies to GET alone; HEAD responds as GET would without it.
 */
export interface MediaRequest {
  method: 'GET' | 'HEAD'
  range: string | undefined
  ifRange: string | undefined
  ifNoneMatch: string | undefined
}

export interface MediaFacts {
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
  contentType: string
  fileName: string
  /** How long a cache may keep it: no longer than the link lives. */
  maxAgeSeconds: number
}

export interface MediaResponse {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  /** The bytes to send, both ends included; null for none. */
  body: { start: number; end: number } | null
}

// The file is untrusted: nothing in it may run. The browser's own page still shows an opened image
// or video.
const contentSecurityPolicy = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

export function sendMedia(request: MediaRequest, facts: MediaFacts): MediaResponse {
  const etag = `"${facts.sha256}"`
  const always = {
    ETag: etag,
    'Cache-Control': `private, max-age=${Math.max(0, Math.floor(facts.maxAgeSeconds))}`,
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (request.ifNoneMatch !== undefined && namesEtag(request.ifNoneMatch, etag)) {
    return { status: 304, headers: always, body: null }
  }

  const described = {
    ...always,
    'Content-Type': facts.contentType,
    'Content-Disposition': `inline; filename="${facts.fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`,
  }
  const part = request.method === 'GET' && agrees(request.ifRange, etag) ? parseRange(request.range, facts.sizeBytes) : 'whole'
  if (part === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...always, 'Content-Range': `bytes */${facts.sizeBytes}`, 'Content-Length': '0' },
      body: null,
    }
  }
  if (part === 'whole') {
    const hasBody = request.method === 'GET' && facts.sizeBytes > 0
    return {
      status: 200,
      headers: { ...described, 'Content-Length': String(facts.sizeBytes) },
      body: hasBody ? { start: 0, end: facts.sizeBytes - 1 } : null,
    }
  }
  return {
    status: 206,
    headers: {
      ...described,
      'Content-Range': `bytes ${part.start}-${part.end}/${facts.sizeBytes}`,
      'Content-Length': String(part.end - part.start + 1),
    },
    body: part,
  }
}

/** The weak comparison: an intermediate cache may have marked our ETag as weak. */
function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}

/** The strong comparison. A date never matches, because this service sends no Last-Modified. */
function agrees(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}

const rangePattern = /^bytes=[ \t]*([0-9]{0,15})-([0-9]{0,15})[ \t]*$/i

function parseRange(range: string | undefined, sizeBytes: number): { start: number; end: number } | 'whole' | 'unsatisfiable' {
  const found = range === undefined ? null : rangePattern.exec(range)
  if (found === null) return 'whole'
  const [, from = '', to = ''] = found
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
