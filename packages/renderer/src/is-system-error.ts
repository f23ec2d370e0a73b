/**
 * Returns whether an operation of the operating system failed (ENOSPC, EIO, EMFILE and similar), or
 * whether it had no file descriptors or memory for a new thread. The causes of the error count as
 * well.
 */
export function isSystemError(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('errno' in current && 'syscall' in current) return true
    if ('code' in current && current.code === 'ERR_WORKER_INIT_FAILED') return true
    // Node gives no code if it cannot read a package.json for an import.
    if (current.message.includes('too many open files')) return true
  }
  return false
}
