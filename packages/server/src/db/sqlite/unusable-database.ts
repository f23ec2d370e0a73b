import { StartupError } from '../../lib/startup-error.ts'

const [invalidStatement, busy, locked, ioError, corrupt, full, notADatabase] = [1, 5, 6, 10, 11, 13, 26]

/**
 * Converts an error of SQLite to a `StartupError` that names the file and the remedy. Returns any
 * other error unchanged.
 */
export function withDatabaseName(file: string, error: unknown): unknown {
  const errcode = findErrcode(error)
  if (error instanceof StartupError || errcode === null) return error
  return unusableDatabase(file, innermostMessage(error), errcode, error)
}

/** Whether the error means that the database file is damaged. */
export function isDamagedDatabase(error: unknown): boolean {
  const errcode = findErrcode(error)
  return errcode !== null && [corrupt, notADatabase].includes(errcode & 0xff)
}

/** Whether the error means that the database file could not be read from its disk. */
export function isReadFailure(error: unknown): boolean {
  return readFailures.has(findErrcode(error) ?? 0)
}

/** SQLITE_IOERR_READ, _SHORT_READ, _DATA, _CORRUPTFS and _IN_PAGE. */
const readFailures = new Set([1, 2, 32, 33, 34].map((detail) => ioError | (detail << 8)))

/** Whether the error means that the disk of a database is full. */
export function isDatabaseFull(error: unknown): boolean {
  const errcode = findErrcode(error)
  return errcode !== null && primaryCode(errcode) === full
}

/** SQLITE_IOERR_SHMSIZE. The file that indexes the write-ahead log could not be extended. */
const indexNotExtended = ioError | (19 << 8)

/** Returns the result code without its details, or SQLITE_FULL if the details mean a full disk. */
function primaryCode(errcode: number): number {
  return errcode === indexNotExtended ? full : errcode & 0xff
}

export function damagedDatabase(file: string, message: string): StartupError {
  return unusableDatabase(file, message, corrupt)
}

export function unusableDatabase(file: string, message: string, errcode: number | null, cause?: unknown): StartupError {
  return new StartupError(describeProblem(file, message, errcode === null ? null : primaryCode(errcode)), { cause })
}

/** Returns the result code of the first error with a code in the chain of causes. */
export function findErrcode(error: unknown): number | null {
  for (let current = error; current instanceof Error; current = current.cause)
    if ('errcode' in current && typeof current.errcode === 'number') return current.errcode
  return null
}

function describeProblem(file: string, message: string, code: number | null): string {
  if (code === invalidStatement && /^no such (table|column)/.test(message)) {
    return (
      `The database ${file} was written by another version of Framegate (${message}). If that version is older, start the ` +
      'service of this version once to update the tables, and try again.'
    )
  }
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

/** Returns the message of the last error in the chain of causes. */
function innermostMessage(error: unknown): string {
  let message = ''
  for (let current = error; current instanceof Error; current = current.cause) message = current.message
  return message
}
