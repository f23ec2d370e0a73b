import { errorCodes, type ErrorCode } from '../errors.ts'
import type { ErrorBody, Violation } from '../error-body.ts'
import type { Example } from './document-types.ts'

interface ErrorFacts {
  /** For the integrator: the meaning of the error and what to do about it. */
  meaning: string
  /** A message of the real server, word for word. A test provokes it. */
  message: string
  param?: string
  errors?: Violation[]
}

const wrongSeconds = 'seconds must be 10 or 15; got 5'
const misspelt = "unknown parameter 'aspectratio'; did you mean 'aspect_ratio'?"
const privateAddress = 'reference_images[0] must be on a public address; "127.0.0.1" cannot be fetched from here'
const otherFamily = 'model "vidG_video3" is not of the family vidC; send it to /v1/vidG/videos or /v2/model-center/tasks'

/** Facts about every error code. A new code does not compile until it is added here. */
export const errorReference: Record<ErrorCode, ErrorFacts> = {
  invalid_json: {
    meaning: 'The body is no JSON object in UTF-8, or nests deeper than 16 levels.',
    message: 'The body is not valid JSON.',
  },
  invalid_request: {
    meaning: 'The request is not well-formed HTTP: its first line, its headers, its length or the encoding of its path.',
    message: 'The path holds a percent-encoding that is not valid UTF-8.',
  },
  invalid_parameter: {
    meaning: 'A field, query parameter or header has a value that it cannot have. `errors` lists all violations of the body.',
    message: wrongSeconds,
    param: 'seconds',
    errors: [{ pointer: '/seconds', code: 'invalid_parameter', message: wrongSeconds }],
  },
  unknown_parameter: {
    meaning: 'A field or query parameter does not exist here. Refused, for a typo must not be billed; the nearest name is told.',
    message: misspelt,
    param: 'aspectratio',
    errors: [{ pointer: '/aspectratio', code: 'unknown_parameter', message: misspelt }],
  },
  model_not_in_family: {
    meaning: 'A v1 address takes the models of its own family only; the message names the right address.',
    message: otherFamily,
    param: 'model',
    errors: [{ pointer: '/model', code: 'model_not_in_family', message: otherFamily }],
  },
  reference_unreachable: {
    meaning:
      'The address of a picture cannot be fetched: its host is not public, or, for an asset, it does not answer with the file.',
    message: privateAddress,
    param: 'reference_images',
    errors: [{ pointer: '/reference_images/0', code: 'reference_unreachable', message: privateAddress }],
  },
  missing_api_key: {
    meaning: 'The request has no API key.',
    message: 'This request has no API key; send the header "Authorization: Bearer <API_KEY>".',
  },
  invalid_api_key: {
    meaning: 'The API key does not exist, was revoked or has expired, is not one of this host, or the header cannot be read.',
    message: 'This API key is not valid.',
  },
  insufficient_credits: {
    meaning: 'The balance is smaller than the price; the message names both. Nothing was accepted and nothing is held.',
    message: 'This task costs 0.08 credits and the account has 0.05.',
  },
  spending_limit_reached: {
    meaning: 'The key would spend more than it may today or this month (UTC). Nothing was accepted and nothing is held.',
    message: 'This task costs 0.04 credits, and of the 0.1 that this API key may spend in a day (UTC) 0.02 are left.',
  },
  max_amount_exceeded: {
    meaning: 'The task costs more than the `max_amount` of its request. Nothing was accepted and nothing is held.',
    message: 'This task costs 0.04 credits, more than the 0.03 that max_amount allows.',
    param: 'max_amount',
  },
  brand_model_missing: {
    meaning: 'The model is visible but not granted to the brand of this host.',
    message: "The model 'imgA_5.0Pro' is visible but not available to this account; ask the operator to grant it.",
    param: 'model',
  },
  key_scope_missing: {
    meaning: 'The API key may not do this: the message names the scope that it lacks, or the model that it may not invoke.',
    message: 'This API key lacks the scope tasks:write; use a key that has it.',
  },
  account_suspended: {
    meaning: 'The account of this key is suspended.',
    message: 'This account is suspended; ask the operator of this service.',
  },
  invalid_signature: {
    meaning: 'A result link was changed. Use `result_url` exactly as the task shows it.',
    message: 'This link is not genuine; use the result_url exactly as the task shows it.',
  },
  model_not_found: {
    meaning: 'No model has this ID. A display name does not resolve, but the message says which Model ID was meant.',
    message: '"ImgA 5.0" is a display name; the Model ID is "imgA-5.0"',
    param: 'model',
  },
  task_not_found: {
    meaning: 'This account has no such task. A task of another account is answered in the same words.',
    message: 'This account has no task with this id.',
  },
  asset_not_found: {
    meaning: 'This account has no such asset. An asset of another account is answered in the same words.',
    message: 'This account has no asset with this id.',
  },
  resource_not_found: {
    meaning: "The operator's interface knows nothing of this kind with this id or name.",
    message: 'There is no account with the id acct_0.',
  },
  route_not_found: {
    meaning: 'There is nothing at this path.',
    message: 'There is nothing at this path.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method; `Allow` lists those that it has.',
    message: 'DELETE is not allowed here; this path takes GET, HEAD, OPTIONS.',
  },
  not_acceptable: {
    meaning: 'The `Accept` header excludes JSON.',
    message: 'Answers here are JSON; let the Accept header allow application/json.',
  },
  request_timeout: {
    meaning:
      'The request did not arrive in time: headers within 10 seconds, the body at 1 KiB/s or more, the whole within two minutes.',
    message: 'The request did not arrive in time.',
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was used within 24 hours for another request. Use a new key for a new request.',
    message:
      'This Idempotency-Key was used within the last 24 hours with another body, or for a task that was deleted; use a new key for a new request.',
    param: 'Idempotency-Key',
  },
  task_already_ended: {
    meaning: 'The task is completed or failed already and stays what it is.',
    message: 'This task is already completed and cannot be cancelled any more.',
  },
  asset_quota_exceeded: {
    meaning: 'The account keeps as many assets, or bytes of them, as it may. Delete some; asking again alone does not help.',
    message:
      'This account has 2 assets of the 2 that it may keep; delete some. Files that unfinished tasks need count until those have ended.',
  },
  conflict: {
    meaning: "The operator's interface cannot do this to the thing as it is; the message says why.",
    message: 'This attempt was resolved before, as refunded_upstream.',
  },
  result_expired: {
    meaning: 'The link has expired: query the task for a fresh one. Or the file is no longer kept.',
    message: 'This link has expired; query the task for a fresh one.',
  },
  body_too_large: {
    meaning:
      'The body is larger than 16 MiB (1 MiB where no images are sent), or an uploaded file than 20 MiB. Send large images by address, or as assets.',
    message: 'The body is larger than the 16777216 bytes allowed; send large pictures by URL.',
  },
  unsupported_media_type: {
    meaning: 'The body is not `application/json` in UTF-8 without Content-Encoding; an asset may be `multipart/form-data` too.',
    message: 'Send the body as JSON, with Content-Type: application/json.',
  },
  range_not_satisfiable: {
    meaning: 'The requested range lies behind the end of the file; `Content-Range` tells its size.',
    message: 'The range lies behind the end of the file.',
  },
  headers_too_large: {
    meaning: 'Address and headers together exceed 16 KiB.',
    message: 'The address and the headers of the request are too long.',
  },
  rate_limited: {
    meaning:
      'Too many requests of this key, or too many that wait on one connection. Try again after `Retry-After`; `RateLimit` says how many may follow.',
    message: 'This API key may send 2 requests a second; send fewer.',
  },
  too_many_tasks_in_flight: {
    meaning: 'Too many tasks of this key, its account or the service are queued or processing. Try again after `Retry-After`.',
    message: 'This API key may have one task queued and processing at the same time; wait for one to end.',
  },
  internal_error: {
    meaning: 'A fault of the service. Send it again with the same Idempotency-Key; quote the request id when it stays.',
    message: 'Something went wrong here; quote the request id when you ask about it.',
  },
  overloaded: {
    meaning:
      'Too much at once, no room to store more, or no answer of the database. Nothing was accepted; try again after `Retry-After`.',
    message: 'No further task can be taken on just now; nothing was accepted, try again shortly.',
  },
  no_route: {
    meaning: 'No provider can take this model now. Nothing was accepted; try again after `Retry-After`.',
    message: "This is the error 'no_route' that simulate.refuse_with has asked for.",
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
