import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

export interface HashedBytes {
  sizeBytes: number
  /** SHA-256 in lower-case hex. */
  sha256: string
}

/** Writes chunks to a file, and returns their size and SHA-256. */
export async function writeHashed(file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<HashedBytes> {
  return await hashChunks(chunks, (chunk) => writeAll(file, chunk))
}

/** Returns the size and the SHA-256 of chunks. */
export async function hashChunks(
  chunks: AsyncIterable<Buffer>,
  onChunk: (chunk: Buffer) => Promise<void> = async () => {},
): Promise<HashedBytes> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength
    hash.update(chunk)
    await onChunk(chunk)
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  let bytesWritten = 0
  while (bytesWritten < chunk.byteLength) {
    bytesWritten += (await file.write(chunk, bytesWritten, chunk.byteLength - bytesWritten)).bytesWritten
  }
}
