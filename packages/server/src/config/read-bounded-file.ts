import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** The size that is found may be too small: the kernel states none for its own files. */
const chunkBytesMin = 64 * 1024

/** A file that is too large, or none. The message is the end of a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge: boolean) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

/**
 * The text of a file of at most this many bytes, also if the file grows while it is read. Throws an
 * `UnreadableFile`, or an error of the file system. A pipe or a device is refused, because reading
 * it could block the process forever.
 */
export function readBoundedFile(path: string, bytesMax: number): string {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would block.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new UnreadableFile('is not a regular file', false)
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(found.size, chunkBytesMin), bytesMax) + 1)
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for (let read = -1; read !== 0 && sizeBytes <= bytesMax; sizeBytes += read) {
      read = readSync(file, buffer, 0, buffer.length, null)
      chunks.push(Buffer.from(buffer.subarray(0, read)))
    }
    if (sizeBytes > bytesMax) throw new UnreadableFile(`is larger than ${bytesMax} bytes`, true)
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    closeSync(file)
  }
}
