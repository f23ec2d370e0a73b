/** Returns the code of an error, such as `ENOENT`. Undefined: it has none. */
export function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
