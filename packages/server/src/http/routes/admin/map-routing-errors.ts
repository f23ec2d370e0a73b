import { refusalOf } from '../../../catalogue/refusal-of.ts'
import { AppError } from '../../../lib/app-error.ts'
import { pointerTo } from '../../../lib/json-pointer.ts'
import { sentenceOf, type FieldPath } from '../../../lib/field-violation.ts'
import { RoutingConflict, InvalidRouting } from '../../../routing/operator-routing.ts'

/**
 * Converts the error for an invalid upstream or route, and a `RoutingConflict`, to an `AppError`. A
 * conflict has the status 409.
 */
export async function asRoutingRefusal<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof RoutingConflict) throw new AppError('conflict', error.message)
    if (!(error instanceof InvalidRouting)) throw error
    throw refusalOf(
      error.violations.map((violation) => ({
        pointer: pointerOf(violation.path),
        code: 'invalid_parameter',
        message: sentenceOf(violation),
      })),
    )
  }
}

/** Returns the JSON Pointer of a violation. An empty path means the name, which is in the URL. */
function pointerOf(path: FieldPath): string {
  if (path.length === 0) return '/name'
  return pointerTo(...path.map(String))
}
