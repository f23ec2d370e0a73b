import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

/** Destination of a result: a folder, and a file name if one was given. */
export interface OutputPlace {
  folder: string
  /** Null if the name derives from the prompt and the task. */
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
  'text/plain': '.txt',
}
/** Media extensions besides those above. A result of another type must not have one of these. */
const otherMediaExtensions = ['.jpeg', '.m4v', '.mkv', '.avi', '.bmp', '.tif', '.tiff', '.heic', '.mp3', '.wav']
const mediaExtensions = new Set([...Object.values(extensionOfType), ...otherMediaExtensions])
const sameExtension: Record<string, string> = { '.jpeg': '.jpg', '.m4v': '.mp4' }
const slugCharactersMax = 48
const idCharacters = 8

/**
 * Checks the destination before the submit, so that no client pays for a result that cannot be stored.
 */
export function outputPlace(output: string | undefined, mayOverwrite: boolean): OutputPlace {
  if (output === undefined || isFolder(output)) {
    const folder = output ?? '.'
    requireWritable(folder, { isMade: folder.endsWith('/') })
    return { folder, fileName: null, mayOverwrite }
  }
  const folder = dirname(output)
  requireWritable(folder)
  if (!mayOverwrite && existsSync(output)) throw alreadyThere(output)
  return { folder, fileName: basename(output), mayOverwrite }
}

function isFolder(path: string): boolean {
  return path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())
}

/**
 * A separate destination for each of several results: fox.mp4 becomes fox-1.mp4, fox-2.mp4 and so
 * on.
 */
export function numberedPlaces(output: string | undefined, mayOverwrite: boolean, count: number): OutputPlace[] {
  const isFile = output !== undefined && !isFolder(output)
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(String(count).length, '0')
    return outputPlace(isFile && count > 1 ? withSuffix(output, number) : output, mayOverwrite)
  })
}

export interface NamedResult {
  prompt: string
  id: string
  type: string
  /** Counted from 1, among the results of its task; left out for the only one. */
  number?: { of: number; is: number } | undefined
}

/**
 * The given name with the extension of the result's type, because programs rely on it, and with the
 * number of the result if its task has several. If a file of that name has appeared meanwhile, the
 * name gets the end of the task id: a paid result is never refused.
 */
export function outputPath({ folder, fileName, mayOverwrite }: OutputPlace, result: NamedResult): string {
  const { number } = result
  const numbered = (path: string): string =>
    number === undefined ? path : withSuffix(path, String(number.is).padStart(String(number.of).length, '0'))
  if (fileName === null) {
    const name = [slug(result.prompt), shortId(result.id)].filter((part) => part !== '').join('-')
    return join(folder, numbered(name + extensionOf(result.type)))
  }
  const path = join(folder, withRightExtension(fileName, result.type))
  const free = numbered(path)
  return mayOverwrite || !existsSync(free) ? free : numbered(withSuffix(path, shortId(result.id)))
}

function withRightExtension(fileName: string, type: string): string {
  const right = extensionOf(type)
  const written = extname(fileName)
  const plain = written.toLowerCase()
  if (right === '' || (sameExtension[plain] ?? plain) === right) return fileName
  return mediaExtensions.has(plain) ? fileName.slice(0, -written.length) + right : fileName + right
}

function withSuffix(path: string, suffix: string): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}-${suffix}${extension}`
}

function shortId(id: string): string {
  return id.slice(-idCharacters)
}

function extensionOf(contentType: string): string {
  return extensionOfType[contentType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? ''
}

export function alreadyThere(path: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${path} exists already. Choose another name with -o, or overwrite it with --force.`)
}

/** `isMade` creates a missing folder, for a folder that must exist afterwards. */
function requireWritable(folder: string, { isMade = false } = {}): void {
  try {
    if (isMade) mkdirSync(folder, { recursive: true })
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
    .replace(/^-+|(?<!-)-+$/g, '')
}
