import { mkdir } from 'node:fs/promises'
import { errorCodeOf } from './error-code.ts'

/**
 * Creates a folder and its missing parents. Returns the topmost folder that it has created, or
 * undefined if the folder exists. Unlike a recursive `mkdir`, it makes a single call of the file
 * system if no parent is missing.
 */
export async function createFolder(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder)
    return folder
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EEXIST') return undefined
    if (code === 'ENOENT') return await mkdir(folder, { recursive: true })
    throw error
  }
}
