import { refusalOf } from '../../../catalogue/refusal-of.ts'
import { AppError } from '../../../lib/app-error.ts'
import { sentenceOf } from '../../../lib/field-violation.ts'
import { pointerTo } from '../../../lib/json-pointer.ts'
import { ModelConflict, InvalidModel } from '../../../models/operator-models.ts'

/** Converts the error for an invalid definition, and a `ModelConflict`, to an `AppError`. */
export async function asModelRefusal<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof ModelConflict) throw new AppError('conflict', error.message)
    if (!(error instanceof InvalidModel)) throw error
    throw refusalOf(
      error.violations.map((violation) => ({
        pointer: pointerTo(...violation.path.map(String)),
        code: 'invalid_parameter',
        message: sentenceOf(violation),
      })),
    )
  }
}
