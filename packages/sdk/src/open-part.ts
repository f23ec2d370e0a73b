import { attempt } from './attempt.ts'
import { FramegateError } from './framegate-error.ts'
import { readError } from './read-error.ts'
import { withRetries, type Retries } from './retry.ts'
import type { Transport } from './transport.ts'

/** A response with the bytes of a result, from the offset `start` to the end. */
export interface Part {
  start: number
  /** Size of the complete result; null if the server does not send it. */
  totalBytes: number | null
  contentType: string
  /**
   * Reads the next bytes. Resolves to null at the end. Rejects if the connection breaks, or if no
   * bytes arrive within the timeout.
   */
  read(): Promise<Uint8Array | null>
  /** Closes the connection and discards unread bytes. */
  close(): void
}

/**
 * Requests the bytes from the offset `position` to the end. If the server cannot resume there, the
 * part is the complete result and starts at 0.
 */
export type OpenPart = (position: number) => Promise<Part>

export interface PartOpenerSettings {
  transport: Pick<Transport, 'fetch' | 'timeoutSeconds'>
  link: string
  /** Requests a new link to the same result. */
  findLink: () => Promise<string>
  retries: Retries
}

/** Statuses of an expired link: 410 from the service, 403 from an object store. */
const expiredLinkStatuses = new Set<number | null>([403, 410])

/**
 * Creates a function that opens parts of a result. It sends no API key, because the signature of
 * the link authorizes the request, and the link may lead to another host. A download resumes only
 * if the result has the same ETag. Without an ETag, the whole result is requested again.
 */
export function createPartOpener({ transport, link, findLink, retries }: PartOpenerSettings): OpenPart {
  let etag: string | null = null
  let sizeBytes: number | null = null

  async function request(position: number): Promise<Part> {
    const connection = openConnection(retries.signal, transport.timeoutSeconds)
    try {
      const range = position > 0 && etag !== null ? { Range: `bytes=${position}-`, 'If-Range': etag } : undefined
      const response = await connection.run((signal) => transport.fetch(link, { signal, ...(range && { headers: range }) }))
      // Any other successful status, such as 204, comes from a server that is not Framegate.
      if (response.status !== 200 && response.status !== 206) throw await connection.run(() => readError(response))
      const partHeaders = readPartHeaders(response)
      const isPartialResponse = response.status === 206
      const start = isPartialResponse ? (partHeaders.start ?? position) : 0
      const isOther = range && isPartialResponse && partHeaders.etag !== etag
      if (isOther || (start !== 0 && start !== position)) throw resultChangedError()
      etag = partHeaders.etag
      sizeBytes = partHeaders.totalBytes ?? (isPartialResponse ? sizeBytes : null)
      const reader = response.body?.getReader()
      return {
        start,
        totalBytes: sizeBytes,
        contentType: partHeaders.contentType,
        close: () => connection.close(),
        async read() {
          const readResult = await connection.run(async () => reader?.read())
          return readResult?.value ?? null
        },
      }
    } catch (error) {
      connection.close()
      throw error
    }
  }

  async function requestWithLiveLink(position: number): Promise<Part> {
    try {
      return await request(position)
    } catch (error) {
      if (!(error instanceof FramegateError) || !expiredLinkStatuses.has(error.status)) throw error
      link = await findLink()
      return request(position)
    }
  }

  return (position) => withRetries(() => requestWithLiveLink(position), retries)
}

/**
 * A request whose response is read in several steps, each with its own timeout. The caller's signal
 * also aborts it between steps.
 */
function openConnection(signal: AbortSignal | undefined, timeoutSeconds: number) {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  signal?.addEventListener('abort', abort)
  return {
    run: <T>(step: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      attempt({ address: 'the server of the result', timeoutSeconds, signal }, (stepSignal) => {
        stepSignal.addEventListener('abort', abort)
        return step(controller.signal)
      }),
    close() {
      signal?.removeEventListener('abort', abort)
      controller.abort()
    },
  }
}

/**
 * Captures the offset of the first byte of a partial response, and the size of the complete result.
 * Numbers of more than 15 digits do not match, because a `number` may not represent them.
 */
const contentRangePattern = /^bytes (\d{1,15})-\d+\/(?:(\d{1,15})|\*)$/

function readPartHeaders({ status, headers }: Response) {
  const etag = headers.get('etag')
  const [, start, rangeTotal] = contentRangePattern.exec(headers.get('content-range') ?? '') ?? []
  const total = status === 206 ? rangeTotal : headers.get('content-length')
  return {
    // Two results with the same weak ETag are equivalent, but their bytes may differ.
    etag: etag?.startsWith('"') ? etag : null,
    start: start ? Number(start) : null,
    totalBytes: total ? Number(total) : null,
    contentType: headers.get('content-type') ?? 'application/octet-stream',
  }
}

export function resultChangedError(): FramegateError {
  return new FramegateError({
    code: 'result_changed',
    message: 'The download broke off and cannot be resumed. Start it again.',
  })
}
