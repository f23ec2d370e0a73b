import { Framegate, FramegateError, type Retry } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { fetchText } from './fetch-text.ts'
import type { ServerInUse } from './server-in-use.ts'

const requestTimeoutSeconds = 30

export function connect({ baseUrl, apiKey }: Pick<ServerInUse, 'baseUrl' | 'apiKey'>): Framegate {
  try {
    return new Framegate({ baseUrl, apiKey, timeoutSeconds: requestTimeoutSeconds, fetch: fetchText })
  } catch (error) {
    throw error instanceof FramegateError ? new CommandFailure(exitCodes.usage, error.message, { cause: error }) : error
  }
}

export function describeRetry({ error, delaySeconds }: Retry): string {
  return `${error.message} The same request is sent again in ${Math.ceil(delaySeconds)} s.`
}

/**
 * Converts the error of a failed request to a message for the user. Returns other errors unchanged.
 */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof FramegateError)) return error
  const { code, status, message, errors } = error
  if (code === 'wait_timed_out') {
    return new CommandFailure(exitCodes.timeUp, `${message} Wait longer with --timeout.`, { cause: error })
  }
  if (status === null) return new CommandFailure(exitCodes.failed, message, { cause: error })
  const isInvalidRequest = [400, 404, 413].includes(status) && code !== 'unexpected_answer'
  const shownCode = code === 'unexpected_answer' ? '' : ` (${code})`
  return new CommandFailure(
    isInvalidRequest ? exitCodes.usage : exitCodes.failed,
    `Error${shownCode}: ${errors.length > 1 ? listOf(errors) : commandLineText(message, code)}`,
    {
      cause: error,
    },
  )
}

/** All violations of a request, one per line. The message of the error contains only the first one. */
function listOf(errors: FramegateError['errors']): string {
  return errors.map(({ message }) => message).join('\n  ')
}

/** Adapts a message of the service to a user of the command line. */
function commandLineText(message: string, code: string): string {
  if (code === 'route_not_found') {
    return `${message} Check the base URL (--url or FRAMEGATE_URL). It must not contain a version; an example is http://127.0.0.1:8787/api.`
  }
  return message
    .replace('GET /v2/model-center/models', 'framegate models list')
    .replace('GET /admin/v1/accounts', 'framegate accounts list')
}
