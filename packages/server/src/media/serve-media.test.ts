import { describe, expect, it } from 'vitest'
import { createMediaResponse, type MediaRequest } from './serve-media.ts'

const sha256 = 'ab'.repeat(32)
const etag = `"${sha256}"`
const facts = {
  sizeBytes: 1000,
  sha256,
  contentType: 'video/mp4',
  fileName: 'task_019af2c0.mp4',
  maxAgeSeconds: 3600.7,
}

function respondTo(request: Partial<MediaRequest> = {}, sizeBytes = facts.sizeBytes) {
  return createMediaResponse(
    { method: 'GET', range: undefined, ifRange: undefined, ifNoneMatch: undefined, ...request },
    { ...facts, sizeBytes },
  )
}

describe('media responses', () => {
  it('a media response is the complete file with its type and security headers', () => {
    expect(respondTo()).toEqual({
      status: 200,
      headers: {
        ETag: etag,
        'Cache-Control': 'private, max-age=3600',
        'Accept-Ranges': 'bytes',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Type': 'video/mp4',
        'Content-Disposition': 'inline; filename="task_019af2c0.mp4"',
        'Content-Length': '1000',
      },
      body: { start: 0, end: 999 },
    })
  })

  it('a media response to HEAD has the headers of GET and no body', () => {
    expect(respondTo({ method: 'HEAD' })).toEqual({ ...respondTo(), body: null })
  })

  it('a media response to HEAD ignores Range', () => {
    expect(respondTo({ method: 'HEAD', range: 'bytes=0-9' })).toEqual({ ...respondTo(), body: null })
    expect(respondTo({ method: 'HEAD', range: 'bytes=5000-' }).status).toBe(200)
  })

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=0-0', 0, 0],
    ['bytes=999-999', 999, 999],
    ['bytes=500-', 500, 999],
    ['bytes=0-', 0, 999],
    ['bytes=900-5000', 900, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-300', 700, 999],
    ['bytes=-5000', 0, 999],
    ['BYTES=1-2', 1, 2],
    ['bytes= 1-2 ', 1, 2],
  ])('a media response to the range %s has the bytes %i to %i', (range, start, end) => {
    const response = respondTo({ range })
    expect(response.status).toBe(206)
    expect(response.body).toEqual({ start, end })
    expect(response.headers['Content-Range']).toBe(`bytes ${start}-${end}/1000`)
    expect(response.headers['Content-Length']).toBe(String(end - start + 1))
    expect(response.headers['Content-Type']).toBe('video/mp4')
    expect(response.headers['ETag']).toBe(etag)
  })

  it.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=999999999999999-'])(
    'a media response to the range %s is 416',
    (range) => {
      const response = respondTo({ range })
      expect(response.status).toBe(416)
      expect(response.body).toBeNull()
      expect(response.headers['Content-Range']).toBe('bytes */1000')
      expect(response.headers['Content-Type']).toBeUndefined()
    },
  )

  it.each([
    'bytes=0-1,5-6',
    'bytes=0-1, -1',
    'bytes=5-4',
    'bytes=-',
    'bytes=',
    'bytes',
    'items=0-1',
    'bytes=a-b',
    'bytes=0x1-2',
    'bytes=--1',
    'bytes=1-2-3',
    'bytes=9999999999999999-',
    '',
  ])('a media response to the range %j is the complete file', (range) => {
    expect(respondTo({ range })).toEqual(respondTo())
  })

  it('a media response for an empty file has no body, and is 416 for any range', () => {
    expect(respondTo({}, 0)).toMatchObject({ status: 200, body: null, headers: { 'Content-Length': '0' } })
    for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
      expect(respondTo({ range }, 0)).toMatchObject({ status: 416, headers: { 'Content-Range': 'bytes */0' } })
    }
  })

  it.each([etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag}`, '*', ' * '])(
    'a media response to If-None-Match %s is 304',
    (ifNoneMatch) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const response = respondTo({ method, ifNoneMatch, range: 'bytes=0-1' })
        expect(response.status).toBe(304)
        expect(response.body).toBeNull()
        expect(response.headers['ETag']).toBe(etag)
        expect(response.headers['Cache-Control']).toBe('private, max-age=3600')
        expect(response.headers['Content-Length']).toBeUndefined()
      }
    },
  )

  it.each(['"other"', sha256, '', 'W/', '"*"'])('a media response to If-None-Match %j is the file', (ifNoneMatch) => {
    expect(respondTo({ ifNoneMatch }).status).toBe(200)
  })

  it('a media response to a request with If-Range is partial only if If-Range is the strong ETag of the file', () => {
    const range = 'bytes=500-'
    expect(respondTo({ range, ifRange: etag }).status).toBe(206)
    for (const ifRange of [`W/${etag}`, '"other"', '*', 'Tue, 14 Oct 2025 10:00:00 GMT', '']) {
      expect(respondTo({ range, ifRange })).toEqual(respondTo())
    }
    expect(respondTo({ range: 'bytes=5000-', ifRange: '"other"' }).status).toBe(200)
  })

  it('a file name cannot end the quoted text in Content-Disposition', () => {
    const response = createMediaResponse(
      { method: 'GET', range: undefined, ifRange: undefined, ifNoneMatch: undefined },
      { ...facts, fileName: 'a"; x=\r\nSet-Cookie: é.mp4' },
    )
    expect(response.headers['Content-Disposition']).toBe('inline; filename="a___x___Set-Cookie___.mp4"')
  })

  it('the max-age of a media response is never negative', () => {
    expect(
      createMediaResponse(
        { method: 'GET', range: undefined, ifRange: undefined, ifNoneMatch: undefined },
        { ...facts, maxAgeSeconds: -5 },
      ).headers['Cache-Control'],
    ).toBe('private, max-age=0')
  })
})
