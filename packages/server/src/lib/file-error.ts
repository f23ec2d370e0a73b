/** System calls that reach another host. Their errors have the same shape as those of files. */
const networkCalls = new Set(['connect', 'getaddrinfo'])
/** Error codes of a connection or pipe whose other side has closed it. */
const connectionCodes = new Set(['ECONNABORTED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTCONN', 'EPIPE', 'ETIMEDOUT'])

/**
 * The file error of the operating system (ENOSPC, EIO, EMFILE and the like) in an error's chain of
 * causes, if any.
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
