import { open, rename, rm, stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ReadBytes } from './download.ts'
import { FramegateError } from './framegate-error.ts'

/**
 * Saves a result, in runtimes with a file system. The file only gets its final name when it is
 * complete.
 */
export async function saveFile(path: string, readBytes: ReadBytes, mayOverwrite: boolean): Promise<void> {
  await requireRegularFile(path)
  if (!mayOverwrite) await requireAbsent(path)
  const partPath = join(dirname(path), `.${basename(path)}.${Math.random().toString(36).slice(2)}.part`)
  try {
    // In append mode, writes start at 0 again after the file is truncated.
    const file = await open(partPath, 'ax')
    try {
      for await (const chunk of readBytes(() => file.truncate(0))) await file.appendFile(chunk)
    } finally {
      await file.close()
    }
    if (!mayOverwrite) await requireAbsent(path)
    await rename(partPath, path)
  } finally {
    await rm(partPath, { force: true })
  }
}

/**
 * Throws if the path is a folder, or a device such as `/dev/null`, which the file would replace.
 */
async function requireRegularFile(path: string): Promise<void> {
  const stats = await readStats(path)
  if (stats === null || stats.isFile()) return
  throw new FramegateError({ code: 'invalid_option', param: 'path', message: `${path} is not a regular file.` })
}

async function requireAbsent(path: string): Promise<void> {
  if ((await readStats(path)) !== null) throw new FramegateError({ code: 'file_exists', message: `${path} exists already.` })
}

async function readStats(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null)
}
