import { errorCodeOf } from './error-code.ts'

/**
 * Returns undefined if a call of the file system fails because the file or folder does not exist.
 */
export async function undefinedIfMissing<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (cause) {
    if (errorCodeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}
