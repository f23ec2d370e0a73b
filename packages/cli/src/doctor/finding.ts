/** Result of one check, worded so that the reader knows what to do. */
export interface Finding {
  /** Stable, because programs use it too. */
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do; null if nothing is needed. */
  advice: string | null
}

export type CheckResult = Omit<Finding, 'name'>

export function ok(message: string): CheckResult {
  return { status: 'ok', message, advice: null }
}

export function warn(message: string, advice: string): CheckResult {
  return { status: 'warn', message, advice }
}

export function fail(message: string, advice: string): CheckResult {
  return { status: 'fail', message, advice }
}
