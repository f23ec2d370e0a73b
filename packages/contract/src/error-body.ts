import { Type, type Static } from 'typebox'

/** One thing wrong with a request. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export const ViolationSchema = Type.Object({
  pointer: Type.String(),
  code: Type.String(),
  message: Type.String(),
})
export type Violation = Static<typeof ViolationSchema>

export const ErrorBodySchema = Type.Object({
  error: Type.Object({
    type: Type.String(),
    code: Type.String(),
    message: Type.String(),
    param: Type.Union([Type.String(), Type.Null()]),
    errors: Type.Optional(Type.Array(ViolationSchema)),
    request_id: Type.String(),
  }),
})
export type ErrorBody = Static<typeof ErrorBodySchema>
