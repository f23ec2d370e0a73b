import type { Violation } from '@framegate/contract'
import { validationError } from '../catalogue/validation-error.ts'
import { AppError } from '../lib/app-error.ts'
import { pointerTo } from '../lib/json-pointer.ts'

/**
 * If `error` reports invalid fields, returns an error that also has the violations found by
 * `checks`. A check throws an `AppError` if its field is invalid. Any other error is returned
 * unchanged.
 */
export function withOtherViolations(error: unknown, checks: readonly (() => unknown)[]): unknown {
  const violations = violationsOf(error)
  if (violations.length === 0) return error
  const pointers = new Set(violations.map(({ pointer }) => pointer))
  const others = checks.flatMap(violationsIn).filter(({ pointer }) => !pointers.has(pointer))
  return others.length === 0 ? error : validationError([...violations, ...others])
}

function violationsIn(check: () => unknown): Violation[] {
  try {
    check()
    return []
  } catch (error) {
    return violationsOf(error)
  }
}

function violationsOf(error: unknown): Violation[] {
  if (!(error instanceof AppError)) return []
  const { code, param, message, errors } = error
  if (errors !== undefined) return errors
  return code === 'invalid_parameter' && param !== null ? [{ pointer: pointerTo(param), code, message }] : []
}
