/** Paths of the OpenAI API that are forwarded, relative to the upstream's base URL. */
export type ForwardPath = '/chat/completions' | '/responses' | '/embeddings' | '/moderations'

/**
 * A request for a token model, which the driver forwards. Token models are chat, embedding and
 * moderation models, which are charged by tokens.
 */
export interface ForwardRequest {
  path: ForwardPath
  /**
   * The client's request body. The service has changed only `stream_options` and `store`. The
   * driver replaces `model` and adds the fields of the operator's `extra`.
   */
  body: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

export interface ForwardResponse {
  /** Media type without parameters, such as `text/event-stream`. */
  contentType: string
  body: ResponseBody
  /**
   * Removes the credential of the upstream from a part of the response before the service stores
   * it.
   */
  withoutSecrets: (text: string) => string
}

/** The body of a response as it arrives. */
export interface ResponseBody {
  /** Rejects if the connection breaks or is idle for too long. */
  next(): Promise<IteratorResult<Buffer, undefined>>
  destroy(): void
}

/**
 * The upstream refused a request because of its content, and other routes would refuse it too. The
 * message is for the client: it names no upstream and contains no credential.
 */
export class ForwardRefusal extends Error {
  override readonly name = 'ForwardRefusal'
  readonly reason: 'invalid_request' | 'context_length' | 'policy'

  constructor(reason: ForwardRefusal['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
