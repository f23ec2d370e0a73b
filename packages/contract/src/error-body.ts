import { Type, type Static } from 'typebox'
import { errorCodes, type ErrorCode, type ErrorType } from './errors.ts'
import { nullable } from './nullable.ts'

const codes = Object.keys(errorCodes) as ErrorCode[]
const types = [...new Set(Object.values(errorCodes).map(({ type }) => type))]

/** One violation in a request. `pointer` is a JSON Pointer (RFC 6901) into the request body. */
export const ViolationSchema = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the request body.' }),
  code: Type.String({ description: 'An error code.' }),
  message: Type.String({ description: 'The error and the accepted values.' }),
})
export type Violation = Static<typeof ViolationSchema>

export const ErrorBodySchema = Type.Object(
  {
    error: Type.Object({
      type: Type.Unsafe<ErrorType>({
        type: 'string',
        enum: types,
        description: 'The category of the error. Each code has one type.',
      }),
      code: Type.Unsafe<ErrorCode>({
        type: 'string',
        enum: codes,
        description: 'The error code, for programs. Codes are stable, messages are not. Later versions may add codes.',
      }),
      message: Type.String({ description: 'The error and the accepted values, for people.' }),
      param: nullable(
        Type.String({ description: 'The field, query parameter or header that caused the error. Null if there is none.' }),
      ),
      errors: Type.Optional(Type.Array(ViolationSchema, { description: 'All violations of the request body.' })),
      request_id: Type.String({
        description: 'The request id, as in the header `X-Request-Id`. Include it when you ask for help.',
      }),
    }),
  },
  { description: 'The response body of every failed request at every path.' },
)
export type ErrorBody = Static<typeof ErrorBodySchema>
