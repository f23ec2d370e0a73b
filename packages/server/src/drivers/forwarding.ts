/** The paths of OpenAI's API that are forwarded, below the base URL of an upstream. */
export type ForwardPath = '/chat/completions' | '/responses' | '/embeddings' | '/moderations'

/** A request for a token model, which goes to the upstream as the client has sent it. */
export interface ForwardRequest {
  path: ForwardPath
  /** The client's body. The driver replaces `model`. */
  body: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

export interface ForwardResponse {
  /** Without parameters, such as `text/event-stream`. */
  contentType: string
  body: ResponseBody
}

/** The body of a response as it arrives. */
export interface ResponseBody {
  /** Rejects if the connection breaks, or stays silent for too long. */
  next(): Promise<IteratorResult<Buffer, undefined>>
  /** Stops the transfer. */
  destroy(): void
}

/**
 * The upstream has refused a request because of its content, so another route would refuse it too.
 * The message is for the client: it names no upstream and contains no credential.
 */
export class ForwardRefusal extends Error {
  override readonly name = 'ForwardRefusal'
  readonly reason: 'invalid_request' | 'context_length' | 'policy'

  constructor(reason: ForwardRefusal['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
