/** Error code of a statement that could not get a lock in time. */
const lockNotAvailable = '55P03'

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === lockNotAvailable
}
