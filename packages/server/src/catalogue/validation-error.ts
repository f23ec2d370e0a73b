import type { Violation } from '@framegate/contract'
import { AppError } from '../lib/app-error.ts'
import { fieldOf } from '../lib/json-pointer.ts'

/** Creates one error for all violations of a request. There must be at least one. */
export function validationError(violations: readonly Violation[]): AppError {
  const code = overallCode(violations)
  // The violations that determine the code come first, so that code, message and param agree.
  const errors = [
    ...violations.filter((violation) => violation.code === code),
    ...violations.filter((violation) => violation.code !== code),
  ]
  const [firstViolation, ...others] = errors
  if (!firstViolation) throw new Error('an error for an invalid request needs at least one violation')
  const suffix = others.length === 0 ? '' : ` (and ${others.length} more, listed in errors)`
  return new AppError(code, `${firstViolation.message}${suffix}`, { param: fieldOf(firstViolation.pointer), errors })
}

function overallCode(violations: readonly Violation[]): 'unknown_parameter' | 'reference_unreachable' | 'invalid_parameter' {
  for (const code of ['unknown_parameter', 'reference_unreachable'] as const) {
    if (violations.every((violation) => violation.code === code)) return code
  }
  return 'invalid_parameter'
}
