import { StartupError } from '../../lib/startup-error.ts'

const [busy, locked, full, corrupt, notADatabase] = [5, 6, 13, 11, 26]

/**
 * Converts an error of SQLite to a `StartupError` that names the file and the remedy. Returns any
 * other error unchanged.
 */
export function namingDatabase(file: string, error: unknown): unknown {
  const errcode = errcodeIn(error)
  if (error instanceof StartupError || errcode === null) return error
  return unusableDatabase(file, messageIn(error), errcode, error)
}

/** Whether the error means that the database file is damaged. */
export function isDamagedDatabase(error: unknown): boolean {
  const errcode = errcodeIn(error)
  return errcode !== null && [corrupt, notADatabase].includes(errcode & 0xff)
}

export function unusableDatabase(file: string, message: string, errcode: number | null, cause?: unknown): StartupError {
  return new StartupError(sentenceFor(file, message, errcode === null ? null : errcode & 0xff), { cause })
}

/** Returns the result code of the first error with a code in the chain of causes. */
export function errcodeIn(error: unknown): number | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('errcode' in each && typeof each.errcode === 'number') return each.errcode
  return null
}

function sentenceFor(file: string, message: string, code: number | null): string {
  switch (code) {
    case corrupt:
    case notADatabase:
      return (
        `The database ${file} is damaged (${message}). Restore the data folder from a backup (docs/backup.md), or name another ` +
        'folder.'
      )
    case full:
      return `The disk of the database ${file} is full. Free some space and start again.`
    case busy:
    case locked:
      return `The database ${file} is locked by another program. Stop that program and start again.`
    case null:
      return `The database ${file} cannot be used: ${message}.`
    default:
      return `The database ${file} cannot be read or written (${message}). Check its disk and the permissions of the service's user.`
  }
}

function messageIn(error: unknown): string {
  let message = ''
  for (let each = error; each instanceof Error; each = each.cause) message = each.message
  return message
}
