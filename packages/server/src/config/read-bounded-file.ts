import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Minimum size of the buffer, because the reported size of a file may be too small, for example in
 * /proc.
 */
const bufferBytesMin = 64 * 1024

/**
 * Error for a file that is too large or not a regular file. The message completes a sentence that
 * begins with the file name.
 */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge: boolean) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

/**
 * Reads a text file of at most `bytesMax` bytes, even if the file grows during the read. Throws an
 * `UnreadableFile` or a file system error. Pipes and devices are rejected, because reading them
 * could block the process forever.
 */
export function readBoundedFile(path: string, bytesMax: number): string {
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw new UnreadableFile('is not a regular file', false)
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(stats.size, bufferBytesMin), bytesMax) + 1)
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for (let bytesRead = -1; bytesRead !== 0 && sizeBytes <= bytesMax; sizeBytes += bytesRead) {
      bytesRead = readSync(fd, buffer, 0, buffer.length, null)
      chunks.push(Buffer.from(buffer.subarray(0, bytesRead)))
    }
    if (sizeBytes > bytesMax) throw new UnreadableFile(`is larger than ${bytesMax} bytes`, true)
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    closeSync(fd)
  }
}
