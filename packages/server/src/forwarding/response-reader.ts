import type { TokenCounts } from '../catalogue/token-price.ts'
import { isObject } from '../lib/is-object.ts'
import { bytesWithoutByteOrderMark } from '../lib/without-byte-order-mark.ts'
import { readUsage } from './read-usage.ts'
import { truncate } from '../lib/truncate.ts'

/** Estimated bytes of response text per token. */
const bytesPerToken = 4
/** Maximum length of an upstream's error message. Longer ones are truncated. */
const errorCharactersMax = 500
/** Matches `"model":` in JSON text if a string follows. The match ends before the string. */
const modelFieldPattern = /"model"\s*:\s*(?=")/g

export interface ReaderOptions {
  /** The Model ID, which replaces the name that the upstream uses for the model. */
  model: string
  /** Whether the client sees the usage in a stream. */
  showsUsage: boolean
  /** Removes the credential of the upstream from an error message or an event. */
  withoutSecrets: (text: string) => string
}

/**
 * Reads the events of a stream, or a response that is not a stream. Extracts the usage, errors and
 * the amount of text, and returns the bytes for the client.
 */
export class ResponseReader {
  readonly #options: ReaderOptions
  #usage: TokenCounts | undefined
  #textBytes = 0
  #deltaCount = 0
  #error: string | null = null
  #isDone = false

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /**
   * The usage, if the upstream has reported it. Undefined if the usage has no output tokens
   * although the response has text: such a usage is incomplete, or was sent before the text.
   */
  get usage(): TokenCounts | undefined {
    return this.#usage?.output === 0 && this.#textBytes > 0 ? undefined : this.#usage
  }

  /** Message of an error that the upstream has reported in the response. Null: there was none. */
  get error(): string | null {
    return this.#error
  }

  /** Whether the event that marks the end of the stream has been read. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Estimated number of output tokens so far. Each piece of text counts as at least one token. */
  get outputTokens(): number {
    return Math.max(this.#deltaCount, Math.ceil(this.#textBytes / bytesPerToken))
  }

  /** Returns the event for the client. Null: the client must not receive the event. */
  readEvent(receivedEvent: Buffer): Buffer | null {
    const event = bytesWithoutByteOrderMark(receivedEvent)
    const text = event.toString()
    const data = dataOf(text)
    if (data === null) return null
    if (data === '[DONE]') {
      this.#isDone = true
      return event
    }
    const value = parse(data)
    if (!isObject(value)) {
      this.#count(data)
      // The text may be an error message.
      const cleanedText = this.#options.withoutSecrets(text)
      return cleanedText === text ? event : Buffer.from(cleanedText)
    }
    const { type, usage, choices, response } = value
    if (this.#readError(value)) return null
    const tokenUsage = readUsage(usage) ?? (isObject(response) ? readUsage(response['usage']) : undefined)
    if (tokenUsage !== undefined) this.#usage = tokenUsage
    if (type === 'response.completed' || type === 'response.incomplete') this.#isDone = true
    this.#countDeltas(value)
    if (isObject(usage) && !this.#options.showsUsage) {
      if (Array.isArray(choices) && choices.length === 0) return null
      const { usage: _usage, ...others } = value
      return Buffer.from(`data: ${JSON.stringify({ ...others, model: this.#options.model })}\n\n`)
    }
    return this.#withModel(event, text, isObject(response) ? response['model'] : value['model'])
  }

  /**
   * Returns the last event of a stream for the client, if the stream ended without the empty line
   * that must follow an event. Null: the client must not receive the event. Throws if the event is
   * incomplete.
   */
  readLastEvent(event: Buffer): Buffer | null {
    const text = event.toString()
    const data = dataOf(text)
    const isComplete =
      data === null
        ? linesOf(text).every((line) => line === '' || line.startsWith(':'))
        : data === '[DONE]' || isObject(parse(data))
    if (!isComplete) throw new Error('the stream ended within an event')
    return this.readEvent(event)
  }

  /** Returns the response for the client. Null: it is not a JSON object, or reports an error. */
  readAll(receivedBody: Buffer): Buffer | null {
    const body = bytesWithoutByteOrderMark(receivedBody)
    const text = body.toString()
    const value = parse(text)
    if (!isObject(value) || this.#readError(value)) return null
    this.#usage = readUsage(value['usage'])
    this.#countDeltas(value)
    this.#isDone = true
    return this.#withModel(body, text, value['model'])
  }

  #readError(value: Readonly<Record<string, unknown>>): boolean {
    const { type, object, response, message: topLevelMessage } = value
    const error = type === 'response.failed' && isObject(response) ? (response['error'] ?? {}) : value['error']
    // Some upstreams send a string as `error`. Others send `"object": "error"` or `"type": "error"`,
    // with the message in the same object.
    const hasMessage = typeof error === 'string' && error !== ''
    if (!hasMessage && !isObject(error) && type !== 'error' && object !== 'error') return false
    const message = hasMessage ? error : isObject(error) ? error['message'] : topLevelMessage
    this.#error =
      typeof message === 'string'
        ? truncate(this.#options.withoutSecrets(message), errorCharactersMax)
        : 'the upstream reports an error'
    return true
  }

  #countDeltas({ choices, delta, output }: Readonly<Record<string, unknown>>): void {
    if (typeof delta === 'string') this.#count(delta)
    const parts = Array.isArray(choices) ? choices : Array.isArray(output) ? output : []
    for (const part of parts as unknown[]) {
      if (!isObject(part)) continue
      const delta = part['delta'] ?? part['message'] ?? part['content'] ?? part['arguments']
      if (isObject(delta) && Object.keys(delta).every((name) => name === 'role')) continue
      if (delta !== undefined && delta !== null) this.#count(textOf(delta))
    }
  }

  #count(text: string): void {
    this.#deltaCount += 1
    this.#textBytes += Buffer.byteLength(text)
  }

  /**
   * Replaces the value of a field `model` in the JSON text with the Model ID. If there are several,
   * replaces only the first one whose value is `name`.
   */
  #withModel(bytes: Buffer, text: string, name: unknown): Buffer {
    const { model } = this.#options
    if (typeof name !== 'string' || name === model) return bytes
    for (const { 0: beginning, index } of text.matchAll(modelFieldPattern)) {
      const valueStart = index + beginning.length
      const valueEnd = endOfString(text, valueStart)
      if (parse(text.slice(valueStart, valueEnd)) !== name) continue
      return Buffer.from(text.slice(0, valueStart) + JSON.stringify(model) + text.slice(valueEnd))
    }
    return bytes
  }
}

/**
 * Returns the index after the JSON string that begins at `start`. A regular expression would
 * overflow its stack on a string of a few million characters.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** Whether a character is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text[first - 1] === '\\') first -= 1
  return (index - first) % 2 === 1
}

/** Returns the data of an event. Null: the event has no data, for example a comment. */
function dataOf(event: string): string | null {
  const isOneLine = event.startsWith('data: ') && event.indexOf('\n') >= event.length - 2 && !event.includes('\r')
  if (isOneLine) return event.slice(6).trim()
  const lines = linesOf(event).filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).trimStart()).join('\n')
}

function linesOf(event: string): string[] {
  return event.split(/\r\n|\n|\r/)
}

/** Returns all text in a part of a response, which may have any structure. */
function textOf(part: unknown, remainingLevels = levelsMax): string {
  if (typeof part === 'string') return part
  if (remainingLevels === 0 || typeof part !== 'object' || part === null) return ''
  const parts = Array.isArray(part) ? (part as unknown[]) : textFields.map((name) => (part as Record<string, unknown>)[name])
  return parts.map((part) => textOf(part, remainingLevels - 1)).join('')
}

const levelsMax = 6
const textFields = ['content', 'text', 'refusal', 'reasoning_content', 'reasoning', 'name', 'arguments', 'tool_calls', 'function']

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
