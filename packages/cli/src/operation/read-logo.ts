import { readFileSync, statSync } from 'node:fs'
import { logoBytesMax } from '@framegate/contract'

/** The file at a path as a data URI, or what is wrong with it, to follow the path. Whether it is a picture the server says. */
export function readLogo(path: string): { dataUri: string; bytes: Buffer } | { fault: string } {
  try {
    // A device would never end.
    const stats = statSync(path)
    if (!stats.isFile()) return { fault: 'is not a file' }
    if (stats.size > logoBytesMax) return { fault: `is larger than ${logoBytesMax / 1024} KiB` }
    const bytes = readFileSync(path)
    return { dataUri: `data:application/octet-stream;base64,${bytes.toString('base64')}`, bytes }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { fault: code === 'ENOENT' ? 'cannot be read: there is no such file' : `cannot be read: ${code ?? message}` }
  }
}
