import { FramegateError } from './framegate-error.ts'

/**
 * Reads a blob into memory before it is sent. If Node's `fetch` itself failed to read a file-backed
 * blob, it would cause an unhandled rejection, which ends the process.
 */
export async function loadBlob(blob: Blob): Promise<Blob> {
  try {
    return new Blob([await blob.arrayBuffer()], { type: blob.type })
  } catch (cause) {
    const message = 'The file cannot be read. It may have changed since it was opened.'
    throw new FramegateError({ code: 'invalid_option', param: 'file', message, cause })
  }
}
