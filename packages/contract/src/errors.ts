/**
 * Every error code with the HTTP status and the type of its response. Codes are stable; messages
 * are for people. Framegate adds these codes to those of the API specification:
 * `spending_limit_reached`, `max_amount_exceeded`, `resource_not_found`, `conflict`,
 * `asset_not_found`, `webhook_not_found`, `delivery_not_found`, `asset_quota_exceeded`,
 * `upload_not_found`, `tus_version_unsupported`, `invalid_request`, `invalid_signature`,
 * `origin_not_allowed`, `confirmation_required`, `request_timeout`, `range_not_satisfiable`,
 * `headers_too_large`, `content_refused`, `generation_failed`, `context_length_exceeded`,
 * `upstream_timeout` and `still_running`.
 */
export const errorCodes = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_request: { status: 400, type: 'invalid_request_error' },
  invalid_parameter: { status: 400, type: 'invalid_request_error' },
  unknown_parameter: { status: 400, type: 'invalid_request_error' },
  model_not_in_family: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  reference_unreachable: { status: 400, type: 'invalid_request_error' },
  missing_api_key: { status: 401, type: 'authentication_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  insufficient_credits: { status: 402, type: 'insufficient_credits_error' },
  spending_limit_reached: { status: 402, type: 'insufficient_credits_error' },
  max_amount_exceeded: { status: 402, type: 'insufficient_credits_error' },
  brand_model_missing: { status: 403, type: 'permission_error' },
  key_scope_missing: { status: 403, type: 'permission_error' },
  account_suspended: { status: 403, type: 'permission_error' },
  confirmation_required: { status: 403, type: 'permission_error' },
  invalid_signature: { status: 403, type: 'permission_error' },
  origin_not_allowed: { status: 403, type: 'permission_error' },
  model_not_found: { status: 404, type: 'not_found_error' },
  task_not_found: { status: 404, type: 'not_found_error' },
  asset_not_found: { status: 404, type: 'not_found_error' },
  upload_not_found: { status: 404, type: 'not_found_error' },
  webhook_not_found: { status: 404, type: 'not_found_error' },
  delivery_not_found: { status: 404, type: 'not_found_error' },
  resource_not_found: { status: 404, type: 'not_found_error' },
  route_not_found: { status: 404, type: 'not_found_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  not_acceptable: { status: 406, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  idempotency_key_reused: { status: 409, type: 'conflict_error' },
  task_already_ended: { status: 409, type: 'conflict_error' },
  asset_quota_exceeded: { status: 409, type: 'conflict_error' },
  conflict: { status: 409, type: 'conflict_error' },
  result_expired: { status: 410, type: 'gone_error' },
  tus_version_unsupported: { status: 412, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  range_not_satisfiable: { status: 416, type: 'invalid_request_error' },
  content_refused: { status: 422, type: 'invalid_request_error' },
  generation_failed: { status: 422, type: 'generation_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  too_many_tasks_in_flight: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'server_error' },
  overloaded: { status: 503, type: 'server_error' },
  no_route: { status: 503, type: 'server_error' },
  still_running: { status: 504, type: 'server_error' },
  upstream_timeout: { status: 504, type: 'server_error' },
} as const satisfies Record<string, { status: number; type: string }>

export type ErrorCode = keyof typeof errorCodes
export type ErrorType = (typeof errorCodes)[ErrorCode]['type']

/** Reasons for a task's failure: the `error_code` of a failed task. */
export const failureCodes = [
  'content_policy',
  'invalid_input',
  'upstream_failed',
  'upstream_timeout',
  'cancelled',
  'lost_upstream',
] as const
export type FailureCode = (typeof failureCodes)[number]
