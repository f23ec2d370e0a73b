import { validationError } from '../../../catalogue/validation-error.ts'
import { AppError } from '../../../lib/app-error.ts'
import { pointerTo } from '../../../lib/json-pointer.ts'
import { sentenceOf, type FieldPath } from '../../../lib/field-violation.ts'
import { RoutingConflict, InvalidRouting } from '../../../routing/configuration/operator-routing.ts'

/**
 * Converts `InvalidRouting` and `RoutingConflict` errors to an `AppError`. A conflict has the
 * status 409.
 */
export async function mapRoutingErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof RoutingConflict) throw new AppError('conflict', error.message)
    if (!(error instanceof InvalidRouting)) throw error
    throw validationError(
      error.violations.map((violation) => ({
        pointer: pointerOf(violation.path),
        code: 'invalid_parameter',
        message: sentenceOf(violation),
      })),
    )
  }
}

/**
 * Returns the JSON Pointer of a violation. An empty path stands for the name, which is in the URL.
 */
function pointerOf(path: FieldPath): string {
  if (path.length === 0) return '/name'
  return pointerTo(...path.map(String))
}
