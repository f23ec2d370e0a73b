import { refusalOf } from '../../catalogue/refusal-of.ts'
import { AppError } from '../../lib/app-error.ts'
import { pointerTo } from '../../lib/json-pointer.ts'
import type { FieldPath } from '../../routing/read-fields.ts'
import { RoutingConflict, sentenceOf, WrongRouting } from '../../routing/operator-routing.ts'

/** What an upstream or a route cannot be is the request's fault; what others stand against is a conflict. */
export async function asRoutingRefusal<Made>(made: Promise<Made>): Promise<Made> {
  try {
    return await made
  } catch (error) {
    if (error instanceof RoutingConflict) throw new AppError('conflict', error.message)
    if (!(error instanceof WrongRouting)) throw error
    throw refusalOf(
      error.faults.map((fault) => ({
        pointer: pointerOf(fault.path),
        code: 'invalid_parameter',
        message: sentenceOf(fault),
      })),
    )
  }
}

/** What is no field of it is its name, which stands in the path. */
function pointerOf(path: FieldPath): string {
  if (path.length === 0) return '/name'
  return pointerTo(...path.map(String))
}
