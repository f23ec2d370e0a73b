import { errorCodeOf } from './error-code.ts'

/** Whether a write failed because the disk or the user's quota is full. */
export function isDiskFull(cause: unknown): boolean {
  const code = errorCodeOf(cause)
  return code === 'ENOSPC' || code === 'EDQUOT'
}
