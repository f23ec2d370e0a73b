import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const sizeMb = 24
const ballast = 'ballast'

/** A folder on a small disk of its own, which fills up quickly. */
export interface ScratchQuota {
  /**
   * Null if there is a disk. Otherwise the reason, such as a user without permission to mount: the
   * folder is then an ordinary one and never full.
   */
  whyNone: string | null
  fill(): void
  free(): void
  remove(): void
}

export function smallDisk(folder: string): ScratchQuota {
  mkdirSync(folder, { recursive: true })
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  const whyNone = status === 0 ? null : (error?.message ?? stderr.trim())
  const file = path.join(folder, ballast)
  return {
    whyNone,
    fill() {
      try {
        writeFileSync(file, Buffer.alloc(sizeMb * 1024 * 1024))
      } catch (cause) {
        // Writing as much as fits is the purpose.
        if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
      }
    },
    free: () => rmSync(file, { force: true }),
    remove() {
      if (whyNone === null) spawnSync('umount', ['-l', folder])
    },
  }
}
