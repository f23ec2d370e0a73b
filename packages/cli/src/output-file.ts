import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandFailure } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'

/** Where a result is to be written: a folder, and the file's name once it is known. */
export interface OutputPlace {
  folder: string
  /** Null when the file is named after its prompt and task. */
  fileName: string | null
  mayOverwrite: boolean
}

const extensionOfType: Record<string, string> = {
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'video/quicktime': '.mov',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/gif': '.gif',
}
const slugCharactersMax = 48
const idCharacters = 8

/** Asked before the task is submitted: nobody should pay for a result that then cannot be stored. */
export function outputPlace(output: string | undefined, mayOverwrite: boolean): OutputPlace {
  const isFolder = output === undefined || output.endsWith('/') || (existsSync(output) && statSync(output).isDirectory())
  const folder = isFolder ? (output ?? '.') : dirname(output)
  const fileName = isFolder ? null : basename(output)
  requireWritable(folder)
  if (!isFolder && !mayOverwrite && existsSync(output)) throw alreadyThere(output)
  return { folder, fileName, mayOverwrite }
}

export function outputPath({ folder, fileName }: OutputPlace, result: { prompt: string; id: string; type: string }): string {
  if (fileName !== null) return join(folder, fileName)
  const name = [slug(result.prompt), result.id.slice(-idCharacters)].filter((part) => part !== '').join('-')
  return join(folder, name + extensionOf(result.type))
}

export function extensionOf(contentType: string): string {
  return extensionOfType[contentType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? ''
}

export function alreadyThere(path: string): CommandFailure {
  return new CommandFailure(
    exitCodes.usage,
    `${path} is already there: choose another name with -o, or overwrite it with --force.`,
  )
}

function requireWritable(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) throw new Error('it is a file')
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such folder' : (code ?? message)
    throw new CommandFailure(exitCodes.usage, `The result cannot be written to ${folder}: ${reason}.`, { cause: error })
  }
}

function slug(prompt: string): string {
  const words = prompt
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  return Array.from(words)
    .slice(0, slugCharactersMax)
    .join('')
    .replace(/^-+|-+$/g, '')
}
