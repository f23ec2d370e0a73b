/** Whether a write failed because the disk or the user's quota is full. */
export function isDiskFull(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
