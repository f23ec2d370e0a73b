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
export function fileErrorIn(error: unknown): Error | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('errno' in each && 'syscall' in each) return isOfNetwork(each) ? undefined : each
  }
  return undefined
}

function isOfNetwork(error: Error): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  return networkCalls.has(syscall) || connectionCodes.has(code)
}

/**
 * Exit code of a child process that failed with a file error, following the convention of
 * `sysexits.h`.
 */
export const fileErrorExitCode = 75
