import { expect, it } from 'vitest'
import { toAppError } from './to-app-error.ts'

it.each(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])(
  'the error %s of a connection to a database, a bucket or an upstream is not reported as an error of the client',
  (code) => {
    const cause = Object.assign(new Error(`read ${code}`), { code, syscall: 'read', errno: -104 })
    expect(toAppError(cause)).toMatchObject({ code: 'internal_error', status: 500, cause })
  },
)
