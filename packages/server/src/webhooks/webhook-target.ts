import { webhookUrlCharactersMax } from '@framegate/contract'
import { AppError } from '../lib/app-error.ts'
import { createDialRules, isForbiddenWithoutLookup } from '../lib/guarded-fetch/dial-rules.ts'
import { parseTarget, portOf } from '../lib/guarded-fetch/target-url.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'

/**
 * Validates a URL that receives events, without resolving its host name. Returns the normalized
 * URL. Throws an error that names the field `param`.
 */
export type ReadTarget = (url: string, param: string) => URL

export function createReadTarget(allowHosts: readonly string[]): ReadTarget {
  const rules = createDialRules(allowHosts)
  return (text, param) => {
    if (text.length > webhookUrlCharactersMax) throw addressError(param, `is longer than ${webhookUrlCharactersMax} characters`)
    const url = parse(text, param)
    const port = portOf(url)
    if (isForbiddenWithoutLookup(url.hostname, port, rules)) throw addressError(param, 'is not on a public host')
    if (!rules.allowsPort(url.hostname, port)) throw addressError(param, 'has a port that belongs to another protocol')
    const isAllowed = rules.isListedName(url.hostname, port) || isAllowedAddress(url.hostname, port, rules)
    if (url.protocol === 'http:' && !isAllowed) throw addressError(param, 'must start with https://')
    url.hash = ''
    return url
  }
}

/** Whether a host is a private address that the operator has allowed, by address or range. */
function isAllowedAddress(hostname: string, port: number, rules: ReturnType<typeof createDialRules>): boolean {
  return rules.allowsAddress(hostname, port) && !createDialRules([]).allowsAddress(hostname, port)
}

function parse(text: string, param: string): URL {
  try {
    return parseTarget(text)
  } catch (cause) {
    if (cause instanceof UntrustedFetchError) throw addressErrorOf(param, cause)
    throw cause
  }
}

function addressError(param: string, problem: string): AppError {
  return new AppError('invalid_parameter', `${param} must be a public https address: the address ${problem}.`, { param })
}

/** Converts an error of the guarded fetch to an `AppError` for a field of the request. */
export function addressErrorOf(param: string, { message }: UntrustedFetchError): AppError {
  return new AppError('invalid_parameter', `${param} must be a public https address: ${message}.`, { param })
}
