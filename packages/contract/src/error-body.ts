import { Type, type Static } from 'typebox'
import { errorCodes, type ErrorCode, type ErrorType } from './errors.ts'
import { nullable } from './nullable.ts'

const codes = Object.keys(errorCodes) as ErrorCode[]
const types = [...new Set(Object.values(errorCodes).map(({ type }) => type))]

/** One violation in a request. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export const ViolationSchema = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the request body.' }),
  code: Type.String({ description: 'An error code.' }),
  message: Type.String({ description: 'What was wrong and what would be right.' }),
})
export type Violation = Static<typeof ViolationSchema>

export const ErrorBodySchema = Type.Object(
  {
    error: Type.Object({
      type: Type.Unsafe<ErrorType>({
        type: 'string',
        enum: types,
        description: 'The group of the code; each HTTP status has one.',
      }),
      code: Type.Unsafe<ErrorCode>({
        type: 'string',
        enum: codes,
        description: 'What went wrong, for programs. Stable: decide by this, never by `message`. More may be added.',
      }),
      message: Type.String({ description: 'What was wrong and what would be right, for people.' }),
      param: nullable(Type.String({ description: 'The offending field, query parameter or header; null when there is none.' })),
      errors: Type.Optional(
        Type.Array(ViolationSchema, { description: 'Every violation of the request body, not only the first.' }),
      ),
      request_id: Type.String({ description: 'The same as `X-Request-Id`. Quote it when you ask for help.' }),
    }),
  },
  { description: 'Every failed request, at every path, is answered with this body.' },
)
export type ErrorBody = Static<typeof ErrorBodySchema>
