import type { Header } from './document-types.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

/** All response headers, except Content-Type, Content-Length, Date and Connection. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of this request. Every response has it. Include it when you ask for help.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-z]+$' },
  },
  Location: {
    description: 'Absolute path of the task, asset, upload or webhook. With 302: the address of the file.',
    required: true,
    schema: { type: 'string', pattern: '^(/|https?://)' },
  },
  'Idempotency-Replayed': {
    description:
      '`true` if the request repeats an earlier one: it created nothing, and no credits were held for it. Otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next request. Absent once the task has ended.', schema: seconds },
  'openai-poll-after-ms': {
    description: "Milliseconds after which OpenAI's clients poll again. Absent once the task has ended.",
    schema: seconds,
  },
  'x-should-retry': {
    description: "Tells OpenAI's clients whether to retry a failed request. `false`: a retry would get the same error.",
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  RateLimit: {
    description:
      'Remaining quota of this key or account, if it has a limit. `"requests";r=9;t=1`: 9 more requests are allowed now, and ' +
      'the full quota is restored in 1 second (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string', pattern: '^"[a-z-]+";r=\\d+(;t=\\d+)?$' },
  },
  'RateLimit-Policy': {
    description: 'Limits of this key or account. `"requests";q=10;w=1`: 10 requests are allowed per second.',
    schema: { type: 'string', pattern: '^"[a-z-]+";q=\\d+(;w=\\d+)?(;qu="[a-z]+")?$' },
  },
  ETag: {
    description:
      'Identifies this version of the response. Send it as `If-None-Match`: if nothing has changed, the response is 304 ' +
      'without a body.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
  },
  'Preference-Applied': {
    description: 'The wait that was applied, if `Prefer` requested one.',
    schema: { type: 'string', pattern: '^wait=\\d+$' },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Allow: { description: 'The methods that this path accepts. Present with 405.', schema: text },
  Accept: { description: 'The accepted media types of request bodies.', schema: text },
  'Content-Range': {
    description: 'The range of the response, and the size of the whole file in bytes.',
    required: true,
    schema: text,
  },
  'Content-Disposition': { description: '`inline`, with the name of the file.', required: true, schema: text },
  'X-Accel-Buffering': {
    description: '`no` prevents nginx from buffering events.',
    required: true,
    schema: { type: 'string', enum: ['no'] },
  },
  'Cache-Control': {
    description: '`no-store`, except for files and for this document.',
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
    description: 'Tells browsers not to guess another content type. Every response has this header.',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
  },
  'Content-Security-Policy': {
    description:
      'Tells browsers not to execute or frame the response. Every response has this header. For files, the policy allows ' +
      'browsers to show them.',
    required: true,
    schema: text,
  },
  'Cross-Origin-Resource-Policy': {
    description: 'Any page may embed the file.',
    required: true,
    schema: { type: 'string', enum: ['cross-origin'] },
  },
  'Content-Location': {
    description: 'Path of the asset. Present once the upload is complete.',
    schema: { type: 'string', pattern: '^/' },
  },
  'Tus-Resumable': {
    description: 'The version of the tus protocol. Every response of the paths below `/v2/assets/uploads` has it.',
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

/** Headers that every response has, including errors. */
export const commonHeaders = [
  'X-Request-Id',
  'Cache-Control',
  'Content-Security-Policy',
  'X-Content-Type-Options',
] as const satisfies (keyof typeof responseHeaders)[]

export type ResponseHeader = keyof typeof responseHeaders

/** Headers of a response with a file, or with an error about a range of a file. */
export const fileHeaders = [
  'ETag',
  'Accept-Ranges',
  'Cross-Origin-Resource-Policy',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const satisfies ResponseHeader[]
