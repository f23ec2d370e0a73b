import type { Header } from './document-types.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

/**
 * Every header that a response may have, except those of the transport (Content-Type,
 * Content-Length, Date, Connection).
 */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'The id of this request, on every answer. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-z]+$' },
  },
  Location: {
    description: 'Where to query the task, or the asset: an absolute path. On 302: where the file is, an address.',
    required: true,
    schema: { type: 'string', pattern: '^(/|https?://)' },
  },
  'Idempotency-Replayed': {
    description:
      'Present and `true` when the Idempotency-Key has named an earlier task: nothing was made and nothing is held anew.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next request. Absent once a task has ended.', schema: seconds },
  RateLimit: {
    description:
      'What is left of the limits of this key, where it has any: `"requests";r=9;t=1` means 9 more at once, and all of them ' +
      'again in 1 second (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string', pattern: '^"[a-z-]+";r=\\d+(;t=\\d+)?$' },
  },
  'RateLimit-Policy': {
    description: 'The limits themselves: `"requests";q=10;w=1` means 10 requests in 1 second.',
    schema: { type: 'string', pattern: '^"[a-z-]+";q=\\d+(;w=\\d+)?(;qu="[a-z]+")?$' },
  },
  ETag: {
    description: 'Names exactly this answer. Send it as `If-None-Match` and an unchanged one is answered 304, without a body.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
  },
  'Preference-Applied': {
    description: 'The wait that was applied, when it was asked for by `Prefer`.',
    schema: { type: 'string', pattern: '^wait=\\d+$' },
  },
  'WWW-Authenticate': {
    description: 'The scheme to authenticate with.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Allow: { description: 'The methods that this path has. On 405.', schema: text },
  Accept: { description: 'The media type that a body may have.', schema: text },
  'Content-Range': {
    description: 'The part that is sent, and the size of the whole file in bytes.',
    required: true,
    schema: text,
  },
  'Content-Disposition': { description: '`inline`, with a file name.', required: true, schema: text },
  'Cache-Control': {
    description: 'How long a cache may keep the answer: `no-store`, except for files and for this document.',
    required: true,
    schema: text,
  },
  'Content-Encoding': { description: '`gzip` where `Accept-Encoding` takes it.', schema: { type: 'string', enum: ['gzip'] } },
  'Accept-Ranges': {
    description: 'Parts can be asked for by `Range`.',
    required: true,
    schema: { type: 'string', enum: ['bytes'] },
  },
  'X-Content-Type-Options': {
    description: 'The type is what it says. On every answer.',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
  },
  'Content-Security-Policy': {
    description:
      'Nothing in the answer may run, and no page may frame it. On every answer; of a file it is looser where browsers show it.',
    required: true,
    schema: text,
  },
  'Cross-Origin-Resource-Policy': {
    description: 'Any page may show it.',
    required: true,
    schema: { type: 'string', enum: ['cross-origin'] },
  },
  'Access-Control-Allow-Origin': {
    description: 'Any page may read it.',
    required: true,
    schema: { type: 'string', enum: ['*'] },
  },
  'Access-Control-Expose-Headers': { description: 'What scripts of other pages may see.', required: true, schema: text },
} as const satisfies Record<string, Header>

/** Headers on every response, including errors. */
export const alwaysThere = [
  'X-Request-Id',
  'Cache-Control',
  'Content-Security-Policy',
  'X-Content-Type-Options',
] as const satisfies (keyof typeof answerHeaders)[]

export type AnswerHeader = keyof typeof answerHeaders
