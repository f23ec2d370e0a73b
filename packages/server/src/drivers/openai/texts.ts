import { MediaProbeError } from '../../media/probe-media.ts'
import { readText } from '../../media/probe-text.ts'
import type { GenerationRequest, Json, Operation, PollOutcome, StartContext, ProviderCost } from '../driver.ts'
import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { ResponseTooLarge } from '../upstream/exchange.ts'
import {
  formatErrorDetail,
  completedWithoutResult,
  refusalError,
  sendSubmit,
  unavailableError,
} from '../upstream/classify-error.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { mergeInto } from '../upstream/renamed-parameters.ts'
import { storedOutputs, succeededWith } from '../upstream/succeeded-with.ts'
import { urlOrDataUri } from '../upstream/upstream-files.ts'
import { readError, submitErrorOf, type OpenaiConnection } from './connection.ts'
import { fillPrompt, systemPrompts } from './text-prompts.ts'

/**
 * Response timeout. The upstream responds only when the text is complete, which may take minutes
 * with slow models.
 */
const responseTimeoutMs = 5 * 60_000
/**
 * Maximum response size in bytes. It is far above the size of the longest text, because a response
 * may also contain reasoning.
 */
const responseBytesMax = 1024 * 1024

/** Requests a chat completion, and stores its message as the result. */
export async function startText(
  { target, tools, headers }: OpenaiConnection,
  request: GenerationRequest,
  context: StartContext,
): Promise<Operation> {
  const { image } = request.parameters
  const sentImage = image === undefined ? null : await urlOrDataUri(tools.files, image, 'image', context.signal)
  const submit = {
    method: 'POST',
    url: `${target.baseUrl}/chat/completions`,
    headers,
    json: mergeInto({ model: target.model, messages: messagesFor(request, target.systemPrompt, sentImage) }, target.extra),
    timeoutMs: responseTimeoutMs,
    bytesMax: responseBytesMax,
  } as const
  const response = await sendSubmit(tools.call, submit, context).catch((error: unknown) => {
    const { cause } = error as Error
    throw cause instanceof ResponseTooLarge ? refusalError('upstream_failed', cause.message) : error
  })
  if (response.status >= 300) throw errorOf(response)
  const completion = objectIn(response.json)
  const [choice = {}] = listIn(completion['choices']).map(objectIn)
  const tokens = tokensOf(completion)
  const cost = costOf(tokens)
  const text = textOf(choice, cost)
  if (text === '')
    throw refusalError('upstream_failed', `HTTP ${response.status} without a text: ${describeResponse(response)}`, cost)
  const bytes = Buffer.from(text)
  requireValidText(bytes, cost)
  return { results: [await tools.results.store(request.attemptId, 0, bytes, context.signal)], tokens }
}

/**
 * Checks the text before it is stored, because the collection of an invalid text would fail at
 * every retry.
 */
function requireValidText(bytes: Buffer, cost: ProviderCost | null): void {
  try {
    readText(bytes)
  } catch (error) {
    throw error instanceof MediaProbeError ? refusalError('upstream_failed', error.message, cost) : error
  }
}

/**
 * Returns the error for a failed request. A chat completion creates no job, so another request may
 * be sent after HTTP 502, 503 or 504. HTTP 500 fails the task. After any other 5xx, the outcome of
 * the submit is unknown.
 */
function errorOf(response: UpstreamResponse): Error {
  const { status } = response
  const detail = formatErrorDetail(status, readError(response))
  if (status === 500) return refusalError('upstream_failed', detail)
  return status === 502 || status === 504 ? unavailableError(response, detail) : submitErrorOf(response)
}

export function pollText(operation: Operation): PollOutcome {
  const cost = costOf(operation['tokens']) ?? undefined
  return succeededWith(storedOutputs(operation, 'text/plain'), cost) ?? completedWithoutResult('the response has no text', cost)
}

function messagesFor({ model, parameters }: GenerationRequest, systemPrompt: string | undefined, image: string | null): Json {
  const instructions = fillPrompt(systemPrompt ?? systemPrompts[model] ?? '', parameters)
  const { prompt, text } = parameters
  const promptText = prompt ?? (typeof text === 'string' ? text : '')
  const content = image === null ? promptText : [{ type: 'image_url', image_url: { url: image } }]
  return [
    { role: 'system', content: instructions },
    { role: 'user', content },
  ]
}

/**
 * Returns the text of a completion. Throws a `DriverRefusal` if the model refused the request or
 * the text is incomplete.
 */
function textOf(choice: JsonObject, cost: ProviderCost | null): string {
  const message = objectIn(choice['message'])
  const refusal = textIn(message['refusal'])
  const reason = textIn(choice['finish_reason'])
  if (refusal !== '' || reason === 'content_filter')
    throw refusalError('content_policy', refusal === '' ? reason : refusal.slice(0, 500), cost)
  if (reason === 'length') throw refusalError('upstream_failed', 'the text was cut at the token limit of the model', cost)
  return trimmedText(contentOf(message['content']))
}

/** Returns the text of a message, whose content is a string or a list of parts. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listIn(content)
    .map((part) => textIn(objectIn(part)['text']))
    .join('')
}

/**
 * Returns the text without the reasoning that some servers put before it, with `\n` as line break,
 * without tabs, and trimmed.
 */
function trimmedText(text: string): string {
  return text
    .replace(/^\s*<think>[^]*?<\/think>/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .trim()
}

function tokensOf(completion: JsonObject): number | null {
  const usage = objectIn(completion['usage'])
  const total = numberIn(usage['total_tokens']) ?? sum(numberIn(usage['prompt_tokens']), numberIn(usage['completion_tokens']))
  return total !== undefined && total >= 0 ? total : null
}

/** Returns the cost of a request by its number of tokens, if the upstream reports the number. */
function costOf(tokens: unknown): ProviderCost | null {
  return typeof tokens === 'number' ? { amount: tokens, unit: 'tokens' } : null
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined || second === undefined ? undefined : first + second
}

function describeResponse(response: UpstreamResponse): string {
  return response.json === undefined ? 'the response is not JSON' : formatErrorDetail(response.status, readError(response))
}
