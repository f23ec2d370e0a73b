/** Whether a write failed because the disk, or what this user may have of it, is full. */
export function isNoSpace(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
