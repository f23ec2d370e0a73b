import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Size of the test file, which is large enough to detect a full disk. */
const testFileBytes = 64 * 1024

/**
 * Tests whether a folder is writable: writes a file, syncs it to the disk, moves it to
 * `targetFolder`, and removes it. Creates missing folders. Rejects with the error of the operating
 * system.
 */
export async function tryWrite(folder: string, targetFolder = folder): Promise<void> {
  const name = `.write-check-${process.pid}`
  const [writtenPath, renamedPath] = [path.join(folder, name), path.join(targetFolder, name)]
  try {
    await mkdir(folder, { recursive: true })
    {
      await using file = await open(writtenPath, 'w', 0o600)
      await file.writeFile(Buffer.alloc(testFileBytes))
      await file.sync()
    }
    if (renamedPath !== writtenPath) await rename(writtenPath, renamedPath)
  } finally {
    for (const path of new Set([writtenPath, renamedPath])) await rm(path, { force: true }).catch(() => undefined)
  }
}
