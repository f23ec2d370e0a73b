import type { Header } from './document-types.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

/**
 * Every header that a response may have, except Content-Type, Content-Length, Date and Connection.
 */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of this request, in every response. Include it when you ask for help.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-z]+$' },
  },
  Location: {
    description: 'Absolute path of the task or the asset. With 302: the address of the file.',
    required: true,
    schema: { type: 'string', pattern: '^(/|https?://)' },
  },
  'Idempotency-Replayed': {
    description:
      'Present and `true` if the Idempotency-Key belongs to an earlier task. No new task was created, and nothing more is ' +
      'held.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next request. Absent after a task has ended.', schema: seconds },
  'openai-poll-after-ms': {
    description: "Milliseconds after which OpenAI's clients poll again. Absent after a task has ended.",
    schema: seconds,
  },
  'x-should-retry': {
    description:
      "`false` tells OpenAI's clients not to repeat a request that would be refused again. `true` makes them repeat it.",
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  RateLimit: {
    description:
      'Remaining quota of this key, if it has a limit. `"requests";r=9;t=1`: 9 more requests are allowed now, and the full quota is ' +
      'available in 1 second (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string', pattern: '^"[a-z-]+";r=\\d+(;t=\\d+)?$' },
  },
  'RateLimit-Policy': {
    description: 'Limits of this key or account. `"requests";q=10;w=1`: 10 requests are allowed per second.',
    schema: { type: 'string', pattern: '^"[a-z-]+";q=\\d+(;w=\\d+)?(;qu="[a-z]+")?$' },
  },
  ETag: {
    description:
      'Identifies this response. Send it as `If-None-Match`: if nothing has changed, the response is 304 without a body.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
  },
  'Preference-Applied': {
    description: 'The waiting time that was applied, if `Prefer` requested one.',
    schema: { type: 'string', pattern: '^wait=\\d+$' },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Allow: { description: 'The methods of this path. Present with 405.', schema: text },
  Accept: { description: 'The media types that a body may have.', schema: text },
  'Content-Range': {
    description: 'The range of the response, and the size of the whole file in bytes.',
    required: true,
    schema: text,
  },
  'Content-Disposition': { description: '`inline`, with a file name.', required: true, schema: text },
  'X-Accel-Buffering': {
    description: '`no` keeps nginx from holding events back.',
    required: true,
    schema: { type: 'string', enum: ['no'] },
  },
  'Cache-Control': {
    description: 'Caching rule: `no-store`, except for files and for this document.',
    required: true,
    schema: text,
  },
  'Content-Encoding': { description: '`gzip`, if `Accept-Encoding` accepts it.', schema: { type: 'string', enum: ['gzip'] } },
  'Accept-Ranges': {
    description: 'The file accepts `Range` requests.',
    required: true,
    schema: { type: 'string', enum: ['bytes'] },
  },
  'X-Content-Type-Options': {
    description: 'Tells browsers not to guess another content type. In every response.',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
  },
  'Content-Security-Policy': {
    description:
      'Tells browsers not to run or frame the response. In every response. For files, the policy allows browsers to show ' +
      'them.',
    required: true,
    schema: text,
  },
  'Cross-Origin-Resource-Policy': {
    description: 'Any page may embed the file.',
    required: true,
    schema: { type: 'string', enum: ['cross-origin'] },
  },
  'Content-Location': {
    description: 'Path of the asset. Present when the upload is finished.',
    schema: { type: 'string', pattern: '^/' },
  },
  'Tus-Resumable': {
    description: 'The version of the tus protocol, in every response below `/v2/assets/uploads`.',
    schema: { type: 'string', enum: ['1.0.0'] },
  },
  'Tus-Version': { description: 'The versions of the tus protocol that the service supports.', schema: text },
  'Upload-Offset': {
    description: 'Number of stored bytes of the file. The next request continues at this offset.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Upload-Length': { description: 'Size of the whole file in bytes.', schema: { type: 'integer', minimum: 1 } },
  'Upload-Metadata': { description: 'The value of `Upload-Metadata` in the request that created the upload.', schema: text },
  'Upload-Expires': {
    description: 'Expiry of the upload (RFC 9110 date): 24 hours after the last received byte.',
    schema: text,
  },
  'Access-Control-Allow-Origin': {
    description: 'Any page may read the file.',
    required: true,
    schema: { type: 'string', enum: ['*'] },
  },
  'Access-Control-Expose-Headers': {
    description: 'Headers that scripts of other origins may read.',
    required: true,
    schema: text,
  },
} as const satisfies Record<string, Header>

/** Headers of every response, including errors. */
export const commonHeaders = [
  'X-Request-Id',
  'Cache-Control',
  'Content-Security-Policy',
  'X-Content-Type-Options',
] as const satisfies (keyof typeof responseHeaders)[]

export type ResponseHeader = keyof typeof responseHeaders
