import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { median } from './statistics.ts'

/**
 * Returns the median time in milliseconds to sync a page to disk, which is part of every commit.
 * Close to zero if the file system is not on a disk.
 */
export function measureSyncMs(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-'))
  const file = openSync(path.join(folder, 'probe'), 'w')
  const page = Buffer.alloc(4096, 1)
  const times = Array.from({ length: 50 }, () => {
    const startedAt = performance.now()
    writeSync(file, page)
    fsyncSync(file)
    return performance.now() - startedAt
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(times)
}
