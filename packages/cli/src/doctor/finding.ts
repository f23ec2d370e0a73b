/** What one check has found, for a person who then knows what to do. */
export interface Finding {
  /** For programs too: it stays. */
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do; null when there is nothing. */
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
