/** Error codes of the service. They are stable; more may be added. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_parameter'
  | 'unknown_parameter'
  | 'model_not_in_family'
  | 'context_length_exceeded'
  | 'reference_unreachable'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'insufficient_credits'
  | 'spending_limit_reached'
  | 'max_amount_exceeded'
  | 'brand_model_missing'
  | 'key_scope_missing'
  | 'account_suspended'
  | 'confirmation_required'
  | 'invalid_signature'
  | 'origin_not_allowed'
  | 'model_not_found'
  | 'asset_not_found'
  | 'upload_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'tus_version_unsupported'
  | 'resource_not_found'
  | 'task_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'idempotency_key_reused'
  | 'task_already_ended'
  | 'asset_quota_exceeded'
  | 'conflict'
  | 'result_expired'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'too_many_tasks_in_flight'
  | 'headers_too_large'
  | 'internal_error'
  | 'overloaded'
  | 'no_route'
  | 'content_refused'
  | 'generation_failed'
  | 'still_running'
  | 'upstream_timeout'

/** Reasons for a task's failure. */
export type FailureCode =
  | 'content_policy'
  | 'invalid_input'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'cancelled'
  | 'lost_upstream'

/**
 * Codes of errors that the client itself detects:
 *
 *   missing_api_key      `new Framegate(...)` got no API key
 *   invalid_option       an option, file or request has an invalid value
 *   connection_failed    no response: the server is unreachable, or the connection broke
 *   timed_out            no response within `timeoutSeconds`
 *   unexpected_answer    the response is not from Framegate, but for example a page of a proxy
 *   task_failed          the task failed, and the service gave no error code
 *   task_not_completed   the task has no result yet
 *   no_such_result       the task has no result at this position
 *   wait_timed_out       the task did not end within `timeoutSeconds`; it continues
 *   result_changed       an interrupted download cannot resume: the file has changed, or the server
 *                        does not support it
 *   result_too_large     the result is larger than `bytesMax`
 *   file_exists          the file exists, and `overwrite` is false
 *   files_unavailable    the runtime has no file system
 */
export type ClientErrorCode =
  | 'missing_api_key'
  | 'invalid_option'
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_answer'
  | 'task_failed'
  | 'task_not_completed'
  | 'no_such_result'
  | 'wait_timed_out'
  | 'result_changed'
  | 'result_too_large'
  | 'file_exists'
  | 'files_unavailable'
