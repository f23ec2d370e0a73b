import { collectBody } from '../collect-body.ts'
import { NotAccepted } from '../driver.ts'
import { ForwardRefusal, type ForwardRequest, type ForwardResponse } from '../forwarding.ts'
import { UpstreamUnreachable } from '../upstream/upstream-unreachable.ts'
import { formatErrorDetail, type UpstreamError } from '../upstream/classify-error.ts'
import { retryAfterMsOf } from '../upstream/retry-after.ts'
import type { UpstreamStream } from '../upstream/stream-upstream.ts'
import { withoutCredential } from '../upstream/without-credential.ts'
import { balanceCodePattern, readError, type OpenaiConnection } from './connection.ts'
import { truncate } from '../../lib/truncate.ts'

const errorBytesMax = 64 * 1024
const messageCharactersMax = 1_000

/**
 * Sends a request for a token model. Throws `ForwardRefusal` if the upstream refuses the content of
 * the request, and `NotAccepted` if another route may serve the request. Also throws `NotAccepted`
 * if the response is lost, because the request has no side effects.
 */
export async function forward(connection: OpenaiConnection, request: ForwardRequest): Promise<ForwardResponse> {
  const { target, tools, headers } = connection
  const { path, body, signal } = request
  let response: UpstreamStream
  try {
    response = await tools.stream({
      url: target.baseUrl + path,
      headers,
      json: { ...body, model: target.model, ...target.extra },
      signal,
    })
  } catch (cause) {
    signal.throwIfAborted()
    const scope = cause instanceof UpstreamUnreachable ? 'upstream' : 'route'
    throw new NotAccepted('unavailable', cause instanceof Error ? cause.message : String(cause), { cause, scope })
  }
  if (response.status >= 200 && response.status < 300) {
    const [contentType = ''] = (response.headers['content-type'] ?? '').split(';')
    return {
      contentType: contentType.trim().toLowerCase(),
      body: response.body,
      withoutSecrets: (text) => withoutCredential(Buffer.from(text), headers).toString(),
    }
  }
  throw await errorOf(connection, response)
}

async function errorOf({ target, headers: requestHeaders }: OpenaiConnection, response: UpstreamStream): Promise<Error> {
  const { status, headers } = response
  const body = await readBody(response)
  const text = body === undefined ? '' : withoutCredential(body, requestHeaders).toString()
  const upstreamError = readError({ json: jsonOf(text) })
  const detail = formatErrorDetail(status, upstreamError)
  const retryAfterMs = retryAfterMsOf({ headers })
  const isBalanceError = balanceCodePattern.test(upstreamError.code)
  if (status === 429 && !isBalanceError) return new NotAccepted('throttled', detail, { retryAfterMs })
  if (status === 401 || status === 402 || isBalanceError) {
    return new NotAccepted('unavailable', detail, { scope: 'credential', retryAfterMs })
  }
  if (contentStatuses.has(status) || (status === 403 && upstreamError.isPolicyViolation)) {
    return new ForwardRefusal(reasonOf(upstreamError), messageFor(upstreamError, target))
  }
  const mayConcernRequest = status >= 500 && !outageStatuses.has(status) && retryAfterMs === null
  return new NotAccepted('unavailable', detail, { scope: 'route', retryAfterMs, mayConcernRequest })
}

/** HTTP statuses that concern the content of the request. */
const contentStatuses = new Set([400, 413, 414, 415, 422])
/** Statuses of a server or gateway that is out of service. */
const outageStatuses = new Set([502, 503])
const contextPattern = /context_length|context (length|size|window)|maximum context|too many tokens/i

function reasonOf({ code, message, isPolicyViolation }: UpstreamError): ForwardRefusal['reason'] {
  if (contextPattern.test(code) || contextPattern.test(message)) return 'context_length'
  return isPolicyViolation ? 'policy' : 'invalid_request'
}

/** Returns the upstream's message without its URL and its name for the model. */
function messageFor({ message }: UpstreamError, { baseUrl, model }: { baseUrl: string; model: string }): string {
  const { host } = new URL(baseUrl)
  const anonymousMessage = [baseUrl, host, model].reduce(
    (text, name) => (name === '' ? text : text.replaceAll(name, '…')),
    message,
  )
  return anonymousMessage === '' ? 'The request was refused.' : truncate(anonymousMessage, messageCharactersMax)
}

/** Returns the body of an error response. Undefined if it is incomplete or too long. */
async function readBody({ body }: UpstreamStream): Promise<Buffer | undefined> {
  const collectedBody = await collectBody(body, errorBytesMax).catch(() => null)
  if (collectedBody !== null) return collectedBody
  body.destroy()
  return undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
