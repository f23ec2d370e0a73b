import { errorCodes, type ErrorCode } from '../errors.ts'
import type { ErrorBody, Violation } from '../error-body.ts'
import type { Example } from './document-types.ts'

interface ErrorDocumentation {
  /** What the error means and how a client should react, for integrators. */
  meaning: string
  /** A real message of the service. A test compares it with a response. */
  message: string
  param?: string
  errors?: Violation[]
}

const wrongSeconds = 'seconds must be 10 or 15; got 5'
const misspelt = "unknown parameter 'aspectratio'; did you mean 'aspect_ratio'?"
const privateAddress = 'reference_images[0] must be on a public address; "127.0.0.1" cannot be reached from this service'
const otherFamily = 'model "vidG_video3" is not in the family vidC; send the request to /v1/vidG/videos or /v2/model-center/tasks'

/** The documentation of every error code. The compiler reports codes that are missing here. */
export const errorReference: Record<ErrorCode, ErrorDocumentation> = {
  invalid_json: {
    meaning: 'The body is not a JSON object in UTF-8, is nested too deeply, or has too many names and values.',
    message: 'The body is not valid JSON.',
  },
  invalid_request: {
    meaning:
      'The request is not well-formed HTTP: the request line, a header, the length or the encoding of the path is invalid. ' +
      'Also in the OpenAI-compatible APIs: the provider rejected a forwarded request, or images are too large for `b64_json`.',
    message: 'The path has a percent-encoding that is not valid UTF-8.',
  },
  invalid_parameter: {
    meaning: 'A field, query parameter or header has a value that is not accepted. `errors` lists all violations of the body.',
    message: wrongSeconds,
    param: 'seconds',
    errors: [{ pointer: '/seconds', code: 'invalid_parameter', message: wrongSeconds }],
  },
  unknown_parameter: {
    meaning:
      'The request has an unknown field or query parameter. It is rejected, so that a typo never costs anything. The message ' +
      'suggests the closest known name.',
    message: misspelt,
    param: 'aspectratio',
    errors: [{ pointer: '/aspectratio', code: 'unknown_parameter', message: misspelt }],
  },
  model_not_in_family: {
    meaning: 'A v1 path accepts only models of its family. The message contains the correct path.',
    message: otherFamily,
    param: 'model',
    errors: [{ pointer: '/model', code: 'model_not_in_family', message: otherFamily }],
  },
  context_length_exceeded: {
    meaning: 'The conversation or text is longer than the model accepts. Shorten it. The message comes from the provider.',
    message: 'This request has 9000 tokens, more than the maximum context length of 8192.',
  },
  reference_unreachable: {
    meaning:
      'A file cannot be fetched from its address: the host is not public, or, when importing an asset, the response is not a ' +
      'file.',
    message: privateAddress,
    param: 'reference_images',
    errors: [{ pointer: '/reference_images/0', code: 'reference_unreachable', message: privateAddress }],
  },
  missing_api_key: {
    meaning: 'The request has no API key.',
    message: 'This request has no API key; send the header "Authorization: Bearer <API_KEY>".',
  },
  invalid_api_key: {
    meaning:
      'The API key does not exist, was revoked, has expired or belongs to a brand with another host, or the header cannot be ' +
      'parsed.',
    message: 'This API key is not valid.',
  },
  insufficient_credits: {
    meaning: 'The balance is smaller than the price; the message contains both. No task was created, and no credits are held.',
    message: 'This task costs 0.08 credits and the account has 0.05.',
  },
  spending_limit_reached: {
    meaning:
      "The task would exceed the key's spending limit for this day or month (UTC). No task was created, and no credits are held.",
    message: 'This task costs 0.04 credits, but this API key has only 0.02 left of the 0.1 that it may spend per day (UTC).',
  },
  max_amount_exceeded: {
    meaning: 'The task costs more than `max_amount` in its request. No task was created, and no credits are held.',
    message: 'This task costs 0.04 credits, more than the 0.03 that max_amount allows.',
    param: 'max_amount',
  },
  brand_model_missing: {
    meaning: 'The model is visible but not granted to the brand of this host, or the model has no price yet.',
    message: "The model 'imgA_5.0Pro' is visible but not available to this account; ask the operator to grant it.",
    param: 'model',
  },
  key_scope_missing: {
    meaning: 'The API key lacks a permission. The message names the missing scope, or the model that the key may not invoke.',
    message: 'This API key lacks the scope tasks:write; use a key that has it.',
  },
  account_suspended: {
    meaning: 'The account of this key is suspended.',
    message: 'This account is suspended; ask the operator of this service.',
  },
  confirmation_required: {
    meaning: "Only in the console: this change requires the user to enter the session's API key again.",
    message: 'Enter the API key of this session again to do this.',
  },
  invalid_signature: {
    meaning: 'The result link was modified. Use `result_url` exactly as the task shows it.',
    message: 'The signature of this link is not valid; use the result_url exactly as the task shows it.',
  },
  origin_not_allowed: {
    meaning:
      'The MCP endpoint does not accept requests from web pages with this `Origin`, or requests with this `Host`. Programs ' +
      'send no `Origin`; the operator can allow origins.',
    message: 'Requests with this origin are not accepted; ask the operator of this service to allow the origin.',
  },
  model_not_found: {
    meaning:
      'No model has this ID, or the requested catalogue entry is of a model that has no price yet. Display names are not ' +
      'accepted; for a display name, the message contains the Model ID.',
    message: '"ImgA 5.0" is a display name; the Model ID is "imgA-5.0"',
    param: 'model',
  },
  task_not_found: {
    meaning: 'This account has no such task. The response is the same for a task of another account.',
    message: 'This account has no task with this id.',
  },
  asset_not_found: {
    meaning: 'This account has no such asset. The response is the same for an asset of another account.',
    message: 'This account has no asset with this id.',
  },
  upload_not_found: {
    meaning:
      'This account has no such upload, or it has expired. The response is the same for an upload of another account. Start a new ' +
      'upload.',
    message: 'This account has no upload with this id. An upload expires 24 hours after it last received bytes.',
  },
  webhook_not_found: {
    meaning: 'This account has no such webhook. The response is the same for a webhook of another account.',
    message: 'This account has no webhook with this id.',
  },
  delivery_not_found: {
    meaning: 'The webhook has no such delivery, or the delivery log no longer has it.',
    message: 'This webhook has no delivery with this id.',
  },
  resource_not_found: {
    meaning:
      'No account, key, brand or other object has this id or name, or the requested thumbnail or spritesheet cannot be created.',
    message: 'There is no API key with the id key_0.',
  },
  route_not_found: {
    meaning: 'There is no endpoint at this path.',
    message: 'There is nothing at this path.',
  },
  method_not_allowed: {
    meaning: 'The path does not accept this method. `Allow` lists the accepted methods.',
    message: 'DELETE is not allowed here; this path accepts GET, HEAD, OPTIONS.',
  },
  not_acceptable: {
    meaning: 'The `Accept` header excludes the type of the response, usually JSON. The message names the accepted type.',
    message: 'Responses here are JSON; the Accept header must allow application/json.',
  },
  request_timeout: {
    meaning:
      'The request arrived too slowly. Headers must arrive within 10 seconds, the body at 1 KiB/s or faster, and the whole ' +
      'request within two minutes.',
    message: 'The request did not arrive in time.',
  },
  idempotency_key_reused: {
    meaning:
      'The Idempotency-Key was used in the last 24 hours for another request, or for a task that was deleted. Use a new key for ' +
      'each new request.',
    message:
      'This Idempotency-Key was used within the last 24 hours with another body, or for a task that was deleted; use a new key for a new request.',
    param: 'Idempotency-Key',
  },
  task_already_ended: {
    meaning: 'The task has already completed or failed and no longer changes.',
    message: 'This task has already completed and can no longer be cancelled.',
  },
  asset_quota_exceeded: {
    meaning:
      'The account has reached its limit for the number or total size of assets, or for unfinished uploads. Delete some before ' +
      'you retry.',
    message:
      'This account has 2 assets, and its limit is 2; delete some. A deleted file counts as long as an unfinished task needs it.',
  },
  conflict: {
    meaning: 'The current state of the object does not permit this operation; the message gives the reason.',
    message: 'This attempt was already resolved as refunded_upstream.',
  },
  result_expired: {
    meaning: 'The link has expired, or the file was removed. Query the task: it has a new link or `result_expired`.',
    message: 'This link has expired; query the task for a fresh one.',
  },
  tus_version_unsupported: {
    meaning: 'The request lacks the header `Tus-Resumable: 1.0.0`, the version of the upload protocol that the service supports.',
    message: 'Tus-Resumable is missing; send Tus-Resumable: 1.0.0.',
    param: 'Tus-Resumable',
  },
  body_too_large: {
    meaning:
      'The body is larger than 16 MiB (1 MiB if the endpoint accepts no images), or an uploaded file is larger than the maximum ' +
      'of its kind. Send large images by address, or as assets.',
    message: 'The body is larger than the 16777216 bytes allowed; send large images by URL.',
  },
  unsupported_media_type: {
    meaning:
      'The endpoint does not accept this `Content-Type` or `Content-Encoding`. Send `application/json` in UTF-8, without ' +
      'Content-Encoding, unless the endpoint specifies another type.',
    message: 'Send the body as JSON, with Content-Type: application/json.',
  },
  range_not_satisfiable: {
    meaning: 'The requested range starts beyond the end of the file. `Content-Range` has the size of the file.',
    message: 'The range starts beyond the end of the file.',
  },
  content_refused: {
    meaning:
      'Only in the OpenAI-compatible APIs: a provider refused the request because of its content policy. The refused ' +
      'generation is not charged.',
    message: 'The task task_019bc1879c2b7f10b3f2c1e4d5a60718 has failed: The prompt was refused by the content rules.',
  },
  generation_failed: {
    meaning: 'Only in the OpenAI-compatible image API: an image could not be generated. The image is not charged.',
    message: 'The task task_019bc1879c2b7f10b3f2c1e4d5a60718 has failed: The provider failed.',
  },
  headers_too_large: {
    meaning: "The request's address and headers together exceed 16 KiB.",
    message: 'The address and the headers of the request are too long.',
  },
  rate_limited: {
    meaning:
      'A limit on requests or tokens is reached: of the key, the account, the connection, the event streams or the providers ' +
      'of the model. Retry after `Retry-After` seconds. `RateLimit` has the remaining quota, if the key or account has one.',
    message: 'This API key may send at most 2 requests per second; send fewer.',
  },
  too_many_tasks_in_flight: {
    meaning:
      'Too many tasks of this key, its account or the service are queued or processing, or they hold too many credits. Retry ' +
      'after `Retry-After` seconds.',
    message: 'This API key may have at most one task queued or processing at the same time; wait for one to end.',
  },
  internal_error: {
    meaning:
      'An internal error of the service. Retry the request with the same Idempotency-Key. If the error persists, report it ' +
      'with the request id.',
    message: 'An internal error occurred; quote the request id when you report it.',
  },
  overloaded: {
    meaning:
      'The service is at capacity, its storage is full, or its database does not respond. Nothing was accepted. Retry after ' +
      '`Retry-After` seconds.',
    message: 'The service cannot accept another task at the moment. Nothing was accepted; try again shortly.',
  },
  no_route: {
    meaning: 'No provider is available for this model at the moment. No task was created. Retry after `Retry-After` seconds.',
    message: "This is the simulated error 'no_route', as requested by simulate.refuse_with.",
  },
  still_running: {
    meaning:
      'Only in the OpenAI-compatible image API: an image was not generated within nine and a half minutes. Its task ' +
      'continues and can be queried by the id in the message.',
    message:
      'The task task_019bc1879c2b7f10b3f2c1e4d5a60718 is still running; query it at ' +
      '/v2/model-center/tasks/task_019bc1879c2b7f10b3f2c1e4d5a60718.',
  },
  upstream_timeout: {
    meaning: 'No provider responded within the time limit of the model. Nothing was charged.',
    message: 'The provider exceeded the time limit of this model. Nothing was charged.',
  },
}

export const exampleRequestId = 'req_4f1c9a7be20d000003'

/** The complete response body for an error code. */
export function errorExample(code: ErrorCode): Example {
  const { meaning, message, param, errors } = errorReference[code]
  const value: ErrorBody = {
    error: {
      type: errorCodes[code].type,
      code,
      message,
      param: param ?? null,
      ...(errors && { errors }),
      request_id: exampleRequestId,
    },
  }
  return { summary: meaning, value }
}
