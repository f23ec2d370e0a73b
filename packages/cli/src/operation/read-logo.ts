import { readFileSync, statSync } from 'node:fs'
import { logoBytesMax } from '@framegate/contract'

/**
 * Reads a file as a data URI. Returns an error message without its subject, the path, if the file
 * cannot be read or is too large. The server checks whether the file is an image.
 */
export function readLogo(path: string): { dataUri: string; bytes: Buffer } | { error: string } {
  try {
    // Reading a device might never end.
    const stats = statSync(path)
    if (!stats.isFile()) return { error: 'is not a file' }
    if (stats.size > logoBytesMax) return { error: `is larger than ${logoBytesMax / 1024} KiB` }
    const bytes = readFileSync(path)
    return { dataUri: `data:application/octet-stream;base64,${bytes.toString('base64')}`, bytes }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { error: code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code ?? message}` }
  }
}
