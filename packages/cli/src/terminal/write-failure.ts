import { FramegateError } from '@framegate/sdk'
import type { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeToStderr } from './write.ts'

/**
 * An error in the output of `--json`. Fields have the same names as in errors of the API.
 */
export interface ErrorView {
  code: string
  message: string
  param: string | null
  errors: readonly object[]
  /** HTTP status of the response. Null if the error does not come from a response. */
  status: number | null
  request_id: string | null
  exit_code: number
}

/**
 * Writes a failure to stderr, as text or as a line of JSON. `subject` names the item that failed.
 */
export function writeFailure(failure: CommandFailure, isJson: boolean | undefined, subject?: string): void {
  const message = subject === undefined || failure.message.includes(subject) ? failure.message : `${subject}: ${failure.message}`
  if (isJson !== true) return writeToStderr(message)
  const view = viewOf(failure)
  const isNamed = subject === undefined || view.message.includes(subject)
  writeToStderr(errorText(isNamed ? view : { ...view, message: `${subject}: ${view.message}` }))
}

export function errorText(error: ErrorView): string {
  return JSON.stringify({ error })
}

export function plainError(code: string, message: string, exitCode: number): ErrorView {
  return { code, message, param: null, errors: [], status: null, request_id: null, exit_code: exitCode }
}

function viewOf({ cause, exitCode, message }: CommandFailure): ErrorView {
  if (!(cause instanceof FramegateError)) return plainError(codeOf(exitCode), message, exitCode)
  const { code, param, errors, status, requestId } = cause
  const reportedMessage = status === null ? message : cause.message
  return { code, message: reportedMessage, param, errors, status, request_id: requestId, exit_code: exitCode }
}

function codeOf(exitCode: number): string {
  if (exitCode === exitCodes.usage) return 'wrong_usage'
  return exitCode === exitCodes.timeUp ? 'wait_timed_out' : 'failed'
}
