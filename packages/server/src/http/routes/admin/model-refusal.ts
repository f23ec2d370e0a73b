import { refusalOf } from '../../../catalogue/refusal-of.ts'
import { AppError } from '../../../lib/app-error.ts'
import { sentenceOf } from '../../../lib/field-violation.ts'
import { pointerTo } from '../../../lib/json-pointer.ts'
import { ModelConflict, WrongModel } from '../../../models/operator-models.ts'

/** Converts the error for an invalid definition, and a `ModelConflict`, to an `AppError`. */
export async function asModelRefusal<Made>(made: Promise<Made>): Promise<Made> {
  try {
    return await made
  } catch (error) {
    if (error instanceof ModelConflict) throw new AppError('conflict', error.message)
    if (!(error instanceof WrongModel)) throw error
    throw refusalOf(
      error.violations.map((violation) => ({
        pointer: pointerTo(...violation.path.map(String)),
        code: 'invalid_parameter',
        message: sentenceOf(violation),
      })),
    )
  }
}
