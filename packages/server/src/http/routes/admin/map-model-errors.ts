import { validationError } from '../../../catalogue/validation-error.ts'
import { AppError } from '../../../lib/app-error.ts'
import { sentenceOf } from '../../../lib/field-violation.ts'
import { pointerTo } from '../../../lib/json-pointer.ts'
import { ModelConflict, InvalidModel } from '../../../models/operator-models.ts'

export async function mapModelErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof ModelConflict) throw new AppError('conflict', error.message)
    if (!(error instanceof InvalidModel)) throw error
    throw validationError(
      error.violations.map((violation) => ({
        pointer: pointerTo(...violation.path.map(String)),
        code: 'invalid_parameter',
        message: sentenceOf(violation),
      })),
    )
  }
}
