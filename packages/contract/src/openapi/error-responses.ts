import { errorCodes, type ErrorCode } from '../errors.ts'
import { reference, type Response } from './document-types.ts'
import { errorReference } from './error-reference.ts'
import { fileHeaders, type ResponseHeader } from './headers.ts'
import { jsonResponse } from './json-response.ts'

interface ErrorSet {
  codes: readonly [ErrorCode, ...ErrorCode[]]
  headers?: readonly ResponseHeader[]
}

/**
 * Sets of error codes that several operations share. All codes of a set have the same HTTP status.
 */
const errorSets = {
  BadRequest: { codes: ['invalid_request'] },
  BadParameter: { codes: ['invalid_parameter', 'invalid_request'] },
  BadQuery: { codes: ['invalid_parameter', 'unknown_parameter', 'invalid_request'] },
  BadBody: { codes: ['invalid_json', 'invalid_request'] },
  BadTask: { codes: ['invalid_json', 'invalid_parameter', 'unknown_parameter', 'reference_unreachable', 'invalid_request'] },
  BadTokenRequest: { codes: ['invalid_json', 'invalid_parameter', 'context_length_exceeded', 'invalid_request'] },
  BadVideoTask: {
    codes: [
      'invalid_json',
      'invalid_parameter',
      'unknown_parameter',
      'model_not_in_family',
      'reference_unreachable',
      'invalid_request',
    ],
  },
  BadUpload: { codes: ['invalid_parameter', 'unknown_parameter', 'invalid_request'] },
  Unauthenticated: { codes: ['missing_api_key', 'invalid_api_key'], headers: ['WWW-Authenticate'] },
  BadAdminBody: { codes: ['invalid_json', 'invalid_parameter', 'unknown_parameter', 'invalid_request'] },
  BalanceTooSmall: { codes: ['insufficient_credits'] },
  InsufficientCredits: { codes: ['insufficient_credits', 'spending_limit_reached', 'max_amount_exceeded'] },
  Suspended: { codes: ['account_suspended'] },
  Forbidden: { codes: ['key_scope_missing', 'account_suspended'] },
  ForbiddenTask: { codes: ['brand_model_missing', 'key_scope_missing', 'account_suspended'] },
  BadLink: { codes: ['invalid_signature'] },
  ModelNotFound: { codes: ['model_not_found'] },
  ResourceNotFound: { codes: ['resource_not_found'] },
  RouteNotFound: { codes: ['route_not_found'] },
  TaskNotFound: { codes: ['task_not_found'] },
  ModelOrTaskNotFound: { codes: ['model_not_found', 'task_not_found'] },
  VideoNotFound: { codes: ['task_not_found', 'resource_not_found'] },
  AssetNotFound: { codes: ['asset_not_found'] },
  UploadNotFound: { codes: ['upload_not_found'] },
  WebhookNotFound: { codes: ['webhook_not_found'] },
  DeliveryNotFound: { codes: ['webhook_not_found', 'delivery_not_found'] },
  NotAcceptable: { codes: ['not_acceptable'] },
  KeyReused: { codes: ['idempotency_key_reused'], headers: ['x-should-retry'] },
  Conflict: { codes: ['conflict'] },
  TaskEnded: { codes: ['task_already_ended'] },
  QuotaExceeded: { codes: ['asset_quota_exceeded'], headers: ['x-should-retry'] },
  KeyReusedOrQuotaExceeded: { codes: ['idempotency_key_reused', 'asset_quota_exceeded'], headers: ['x-should-retry'] },
  ResultExpired: { codes: ['result_expired'] },
  BadUploadHeader: { codes: ['invalid_parameter', 'invalid_request'] },
  UploadRefused: { codes: ['conflict', 'asset_quota_exceeded'], headers: ['Upload-Offset'] },
  TusVersionUnsupported: { codes: ['tus_version_unsupported'], headers: ['Tus-Version'] },
  BodyTooLarge: { codes: ['body_too_large'] },
  UnsupportedMediaType: { codes: ['unsupported_media_type'], headers: ['Accept'] },
  GenerationFailed: { codes: ['content_refused', 'generation_failed'] },
  ContentRefused: { codes: ['content_refused'] },
  AtCapacity: { codes: ['rate_limited'], headers: ['Retry-After', 'x-should-retry'] },
  UpstreamTimeout: { codes: ['upstream_timeout'], headers: ['x-should-retry'] },
  StillRunning: { codes: ['still_running'], headers: ['x-should-retry'] },
  RangeNotSatisfiable: { codes: ['range_not_satisfiable'], headers: [...fileHeaders, 'Content-Range'] },
  InternalError: { codes: ['internal_error'] },
  RateLimited: { codes: ['rate_limited'], headers: ['Retry-After'] },
  TooManyRequests: { codes: ['rate_limited', 'too_many_tasks_in_flight'], headers: ['Retry-After'] },
  Overloaded: { codes: ['overloaded'], headers: ['Retry-After'] },
  Unavailable: { codes: ['overloaded', 'no_route'], headers: ['Retry-After'] },
} as const satisfies Record<string, ErrorSet>

export type ErrorSetName = keyof typeof errorSets

/** Errors that any request may get. They are the `default` response of every operation. */
const anyErrorName = 'AnyError'
const anyError = {
  codes: ['invalid_request', 'route_not_found', 'method_not_allowed', 'request_timeout', 'headers_too_large', 'rate_limited'],
  headers: ['Allow', 'Retry-After'],
} as const satisfies ErrorSet

/** The codes for which the document has an example. */
export const documentedCodes: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([...Object.values<ErrorSet>(errorSets), anyError].flatMap(({ codes }) => codes)),
]

export function errorResponses(): Record<string, Response> {
  const namedErrors = Object.entries<ErrorSet>({ ...errorSets, [anyErrorName]: anyError })
  return Object.fromEntries(namedErrors.map(([name, set]) => [name, errorResponse(set)]))
}

/** The error responses of one operation by HTTP status. */
export function errorResponsesOf(names: readonly ErrorSetName[]): Record<string, { $ref: string }> {
  const byStatus = names.map((name) => [String(errorCodes[errorSets[name].codes[0]].status), reference('responses', name)])
  return { ...Object.fromEntries(byStatus), default: reference('responses', anyErrorName) }
}

function errorResponse({ codes, headers = [] }: ErrorSet): Response {
  return jsonResponse({
    description: codes.map((code) => `\`${code}\`: ${errorReference[code].meaning}`).join('\n\n'),
    schema: reference('schemas', 'Error'),
    headers: [...headers, 'RateLimit', 'RateLimit-Policy', 'Tus-Resumable'],
    examples: Object.fromEntries(codes.map((code) => [code, reference('examples', code)])),
  })
}
