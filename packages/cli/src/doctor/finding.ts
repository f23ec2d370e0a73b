/** Result of one check, worded so that the reader knows what to do. */
export interface Finding {
  /** Stable, because programs use it too. */
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do; null if nothing is needed. */
  advice: string | null
}

export type Found = Omit<Finding, 'name'>

export function ok(message: string): Found {
  return { status: 'ok', message, advice: null }
}

export function warn(message: string, advice: string): Found {
  return { status: 'warn', message, advice }
}

export function fail(message: string, advice: string): Found {
  return { status: 'fail', message, advice }
}
