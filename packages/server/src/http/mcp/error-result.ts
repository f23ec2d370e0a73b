import type { ErrorCode } from '@framegate/contract'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AppError } from '../../lib/app-error.ts'
import { shorten } from '../../lib/json-pointer.ts'

/** Maximum number of violations in a result, because MCP hosts truncate long texts. */
const violationsMax = 10

const repeatHint = 'If a generate tool failed with this error, repeat the call with the same arguments.'

const hints: Partial<Record<ErrorCode, string>> = {
  model_not_found: 'Call list_models to get the Model IDs.',
  internal_error: repeatHint,
  overloaded: repeatHint,
  insufficient_credits: 'Call get_balance to get the balance, and quote to get prices.',
}

/**
 * Converts an error to a tool result with the code, the message and the violations, so that the
 * language model can correct its call.
 */
export function errorResult({ code, message, errors = [] }: AppError, requestId: string): CallToolResult {
  const reference = `(${code}, request ${requestId})`
  const shownErrors = errors.slice(0, violationsMax).map((violation) => `${shorten(violation.pointer)}: ${violation.message}`)
  const lines =
    errors.length < 2 ? [`${message} ${reference}`] : [`${errors.length} arguments are invalid ${reference}:`, ...shownErrors]
  const hint = hints[code]
  return { content: [{ type: 'text', text: (hint === undefined ? lines : [...lines, hint]).join('\n') }], isError: true }
}
