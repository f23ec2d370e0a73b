import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ReadBytes } from './download.ts'
import { FramegateError } from './framegate-error.ts'

/**
 * Saves a result, in runtimes with a file system. The file gets its final name only when it is
 * complete.
 */
export async function saveFile(path: string, readBytes: ReadBytes, mayOverwrite: boolean): Promise<void> {
  await requireWritable(path, mayOverwrite)
  const folder = dirname(path)
  // If the folder is missing, the error names the folder instead of the temporary file.
  await stat(folder)
  const partPath = join(folder, `.${basename(path)}.${Math.random()}.part`)
  try {
    // In append mode, writes start at 0 again after the file is truncated.
    const file = await open(partPath, 'ax')
    try {
      for await (const chunk of readBytes(() => file.truncate(0))) await file.appendFile(chunk)
    } finally {
      await file.close()
    }
    await requireWritable(path, mayOverwrite)
    await rename(partPath, path)
  } finally {
    await rm(partPath, { force: true })
  }
}

/**
 * Throws an error if the path leads to a folder, or to a device such as `/dev/null`, which the file
 * would replace. Also throws one if the file exists and must not be overwritten.
 */
async function requireWritable(path: string, mayOverwrite: boolean): Promise<void> {
  const stats = await stat(path).catch(() => null)
  if (stats && !stats.isFile()) {
    throw new FramegateError({ code: 'invalid_option', param: 'path', message: `${path} is not a regular file.` })
  }
  if (stats && !mayOverwrite) throw new FramegateError({ code: 'file_exists', message: `${path} exists already.` })
}
