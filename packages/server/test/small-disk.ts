import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A separate file system that a test may fill. */
export interface SmallDisk extends Disposable {
  folder: string
  /** Fills all free space. */
  fill(): void
  /** Frees the filled space. */
  free(): void
}

/**
 * Mounts an in-memory file system at this folder. `inodesMax` limits the number of its files and
 * folders, including the root folder. Returns null if this user may not mount file systems.
 */
export function mountSmallDisk(folder: string, megabytes: number, inodesMax?: number): SmallDisk | null {
  mkdirSync(folder, { recursive: true })
  const limits = `size=${megabytes}m${inodesMax === undefined ? '' : `,nr_inodes=${inodesMax}`}`
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', limits, 'tmpfs', folder])
  if (status !== 0) return null
  const filler = path.join(folder, 'filler')
  return {
    folder,
    fill() {
      for (const bytes of [1 << 20, 1 << 12]) {
        const { bavail, bsize } = statfsSync(folder)
        for (let bytesLeft = bavail * bsize; bytesLeft >= bytes; bytesLeft -= bytes) {
          try {
            writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
          } catch {
            break
          }
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => void spawnSync('umount', ['--lazy', folder]),
  }
}

export const mayMount = process.platform === 'linux' && canMount()

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-mount-'))
  const disk = mountSmallDisk(folder, 1)
  disk?.[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
  return disk !== null
}
