import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

/** Destination of a result: a folder, and a file name if one was given. */
export interface OutputTarget {
  folder: string
  /** Null if the name is derived from the prompt and the task. */
  fileName: string | null
  mayOverwrite: boolean
}

const extensionByType: Record<string, string> = {
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
/**
 * Media extensions that no result has. In a given file name, they are replaced with the extension
 * of the result's type.
 */
const otherMediaExtensions = ['.jpeg', '.m4v', '.mkv', '.avi', '.bmp', '.tif', '.tiff', '.heic', '.mp3', '.wav']
const mediaExtensions = new Set([...Object.values(extensionByType), ...otherMediaExtensions])
const canonicalExtensions: Record<string, string> = { '.jpeg': '.jpg', '.m4v': '.mp4' }
const slugCharactersMax = 48
const idCharacters = 8

/**
 * Converts the value of `--output` to a destination. Throws if it is not writable. Otherwise the
 * account would be charged for a task whose result could not be saved.
 */
export function outputTarget(output: string | undefined, mayOverwrite: boolean): OutputTarget {
  if (output === undefined || isFolder(output)) {
    const folder = output ?? '.'
    requireWritable(folder, { shouldCreateMissing: folder.endsWith('/') })
    return { folder, fileName: null, mayOverwrite }
  }
  const folder = dirname(output)
  requireWritable(folder)
  if (!mayOverwrite && existsSync(output)) throw fileExistsFailure(output)
  return { folder, fileName: basename(output), mayOverwrite }
}

function isFolder(path: string): boolean {
  return path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())
}

/**
 * Returns a separate destination for each of several tasks. For `fox.mp4`, these are `fox-1.mp4`,
 * `fox-2.mp4` and so on.
 */
export function numberedTargets(output: string | undefined, mayOverwrite: boolean, count: number): OutputTarget[] {
  // An unset variable of a script would otherwise lead to a hidden file named `.mp4`.
  if (output === '') throw new CommandFailure(exitCodes.usage, '--output must be the path of a file or folder; it is empty.')
  const isFile = output !== undefined && !isFolder(output)
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(String(count).length, '0')
    return outputTarget(isFile && count > 1 ? withSuffix(output, number) : output, mayOverwrite)
  })
}

export interface NamedResult {
  prompt: string
  id: string
  type: string
  /**
   * Position of the result, counted from 1, and the task's number of results. Undefined if the task
   * has only one result.
   */
  number?: { position: number; count: number } | undefined
}

/**
 * Returns the path of a result. A given name gets the extension of the result's type, because
 * programs rely on the extension. If the task has several results, the name also gets a number. If
 * a file of that name exists and must not be overwritten, the end of the task id is appended to the
 * name, so that a paid result is always saved.
 */
export function outputPath({ folder, fileName, mayOverwrite }: OutputTarget, result: NamedResult): string {
  const { number } = result
  const numbered = (path: string): string =>
    number === undefined ? path : withSuffix(path, String(number.position).padStart(String(number.count).length, '0'))
  if (fileName === null) {
    const name = [slugOf(result.prompt), shortId(result.id)].filter((part) => part !== '').join('-')
    return join(folder, numbered(name + extensionOf(result.type)))
  }
  const path = join(folder, withExpectedExtension(fileName, result.type))
  const numberedPath = numbered(path)
  return mayOverwrite || !existsSync(numberedPath) ? numberedPath : numbered(withSuffix(path, shortId(result.id)))
}

function withExpectedExtension(fileName: string, type: string): string {
  const expectedExtension = extensionOf(type)
  const givenExtension = extname(fileName)
  const lowerCaseExtension = givenExtension.toLowerCase()
  if (expectedExtension === '' || (canonicalExtensions[lowerCaseExtension] ?? lowerCaseExtension) === expectedExtension)
    return fileName
  return mediaExtensions.has(lowerCaseExtension)
    ? fileName.slice(0, -givenExtension.length) + expectedExtension
    : fileName + expectedExtension
}

function withSuffix(path: string, suffix: string): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}-${suffix}${extension}`
}

/**
 * Returns the end of an id for a file name. Replaces characters such as `/`, which an id from
 * another server may contain.
 */
function shortId(id: string): string {
  return id.slice(-idCharacters).replace(/\W/g, '_')
}

function extensionOf(contentType: string): string {
  return extensionByType[contentType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? ''
}

export function fileExistsFailure(path: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${path} exists already. Choose another name with -o, or overwrite it with --force.`)
}

/**
 * Throws if the folder is not writable. With `shouldCreateMissing`, first creates a missing folder.
 */
function requireWritable(folder: string, { shouldCreateMissing = false } = {}): void {
  try {
    if (shouldCreateMissing) createWithParents(folder)
    if (!statSync(folder).isDirectory()) throw new Error('it is a file')
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such folder' : (code ?? message)
    throw new CommandFailure(exitCodes.usage, `The result cannot be written to ${folder}: ${reason}.`, { cause: error })
  }
}

/**
 * Creates a folder and its missing parents. The option `recursive` of `mkdirSync` is not used: on a
 * file system that does not accept new folders (/proc), Node's loop over the parent folders never
 * ends.
 */
function createWithParents(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) createWithParents(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // The folder may exist by now: another process has created it, or its path ends with `/.` or
    // `/..`.
    if (!existsSync(folder)) throw error
  }
}

function slugOf(prompt: string): string {
  const hyphenated = prompt
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  return Array.from(hyphenated)
    .slice(0, slugCharactersMax)
    .join('')
    .replace(/^-+|(?<!-)-+$/g, '')
}
