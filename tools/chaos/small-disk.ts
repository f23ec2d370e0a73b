import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const sizeMebibytes = 24
const ballastName = 'ballast'

/** A folder on a file system of 24 MiB, which a test can fill. */
export interface SmallDisk {
  /**
   * The reason why the file system could not be mounted, such as a missing permission. The folder
   * is then an ordinary one that never fills up. Null: the file system is mounted.
   */
  mountProblem: string | null
  fill(): void
  free(): void
  remove(): void
}

export function mountSmallDisk(folder: string): SmallDisk {
  mkdirSync(folder, { recursive: true })
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMebibytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  const mountProblem = status === 0 ? null : (error?.message ?? stderr.trim())
  const file = path.join(folder, ballastName)
  return {
    mountProblem,
    fill() {
      try {
        writeFileSync(file, Buffer.alloc(sizeMebibytes * 1024 * 1024))
      } catch (cause) {
        // The disk is full now, as intended.
        if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
      }
    },
    free: () => rmSync(file, { force: true }),
    remove() {
      if (mountProblem === null) spawnSync('umount', ['-l', folder])
    },
  }
}
