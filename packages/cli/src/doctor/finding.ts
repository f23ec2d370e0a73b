export interface Finding {
  /** Stable identifier, for programs that read the JSON output. */
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** Remedy for the user. Null if none is needed. */
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
