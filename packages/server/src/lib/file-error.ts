/** System calls that use the network. Their errors have the same fields as file errors. */
const networkCalls = new Set(['connect', 'getaddrinfo'])
/** Error codes of connections and pipes that the other side closed or that were lost. */
const connectionCodes = new Set(['ECONNABORTED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTCONN', 'EPIPE', 'ETIMEDOUT'])

/**
 * Finds the operating system's file error (ENOSPC, EIO, EMFILE and similar) in an error's chain of
 * causes.
 */
export function findFileError(error: unknown): Error | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('errno' in current && 'syscall' in current) return isNetworkError(current) ? undefined : current
  }
  return undefined
}

function isNetworkError(error: Error): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  return networkCalls.has(syscall) || connectionCodes.has(code)
}

/**
 * Exit code of a child process that failed with a file error, following the convention of
 * `sysexits.h`.
 */
export const fileErrorExitCode = 75
