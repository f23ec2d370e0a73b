import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Size of the test file, large enough that a full disk refuses it. */
const tryBytes = 64 * 1024

/**
 * Tests whether a folder is writable. Writes a file into the folder, syncs the file to the disk,
 * moves it to `movedTo`, and removes it. Creates a missing folder. Rejects with the error of the
 * operating system.
 */
export async function tryWrite(folder: string, movedTo = folder): Promise<void> {
  const name = `.write-check-${process.pid}`
  const [written, moved] = [path.join(folder, name), path.join(movedTo, name)]
  try {
    await mkdir(folder, { recursive: true })
    {
      await using file = await open(written, 'w', 0o600)
      await file.writeFile(Buffer.alloc(tryBytes))
      await file.sync()
    }
    if (moved !== written) await rename(written, moved)
  } finally {
    for (const left of new Set([written, moved])) await rm(left, { force: true }).catch(() => undefined)
  }
}
