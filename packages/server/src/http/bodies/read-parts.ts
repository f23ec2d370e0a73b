import type { IncomingMessage } from 'node:http'
import type { AppError } from '../../lib/app-error.ts'
import type { PaceWatch } from '../connections/transfer-pace.ts'
import { boundaryOf, MalformedForm, readFormParts, type FormPart } from './form-parts.ts'
import { PacedBody, requireReadableForm } from './paced-body.ts'

interface PartsOptions {
  bytesMax: number
  pace: PaceWatch
  /**
   * Creates the error for an invalid form. `problem` completes a sentence that begins with "The
   * form".
   */
  invalidForm: (problem: string, cause?: unknown) => AppError
}

/**
 * Passes the parts of a `multipart/form-data` body to `read` as they arrive. If the body is
 * rejected, its rest is received and discarded. If the service closed the connection instead, a
 * client that is still sending would lose the response.
 */
export async function readParts<Read>(
  request: IncomingMessage,
  { bytesMax, pace, invalidForm }: PartsOptions,
  read: (parts: AsyncGenerator<FormPart, void>) => Promise<Read>,
): Promise<Read> {
  try {
    requireReadableForm(request, bytesMax)
    const boundary = boundaryOf(request.headers['content-type'] ?? '')
    if (boundary === undefined) throw invalidForm('has no boundary in its Content-Type')
    using source = new PacedBody(request, pace)
    return await read(readFormParts(source, boundary))
  } catch (cause) {
    throw cause instanceof MalformedForm ? invalidForm(cause.message, cause) : cause
  } finally {
    // Resumes the request only after the iterator has released it. Otherwise the iterator would
    // pause the request again, and the connection would stall forever.
    setImmediate(() => request.resume())
  }
}
