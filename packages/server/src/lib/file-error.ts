/** System calls to other hosts. Their errors have the same fields as file errors. */
const networkCalls = new Set(['connect', 'getaddrinfo'])
/**
 * Error codes of a connection or pipe that the other side has closed or that the network has
 * broken.
 */
const connectionCodes = new Set(['ECONNABORTED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTCONN', 'EPIPE', 'ETIMEDOUT'])

/**
 * The operating system's file error (ENOSPC, EIO, EMFILE and similar) in an error's chain of
 * causes. Undefined if there is none.
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
