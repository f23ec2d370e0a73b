import { FramegateError } from '@framegate/sdk'
import { connect } from '../connection/connect.ts'
import { readReadiness } from '../connection/read-readiness.ts'
import { readServerTime } from '../connection/server-time.ts'
import { isReadableByOthers, profilesPath } from '../connection/profiles-file.ts'
import { fail, ok, warn, type CheckResult } from './finding.ts'

/** The server to check: its base URL, the API key, and whether Framegate responds there. */
export interface CheckedServer {
  baseUrl: string
  apiKey: string | undefined
  /** Whether the user named a server. Otherwise `baseUrl` is the default. */
  isAddressGiven: boolean
  isReachable: boolean
}

const responseTimeoutMs = 5_000
const skewSecondsMax = 30

export function checkReachable({ baseUrl, isAddressGiven, isReachable }: CheckedServer): CheckResult {
  if (isReachable) return ok(`a Framegate responds at ${baseUrl}`)
  return isAddressGiven
    ? fail(
        `no Framegate responds at ${baseUrl}`,
        'check that it runs and that --url, FRAMEGATE_URL or the profile has its address',
      )
    : warn(`no Framegate responds at ${baseUrl}`, 'start one with framegate serve; framegate generate starts a temporary one')
}

export async function checkKey({ baseUrl, apiKey }: CheckedServer): Promise<CheckResult> {
  if (!apiKey) return warn('no API key is set', 'set FRAMEGATE_API_KEY, or store a key with framegate profiles add')
  try {
    await connect({ baseUrl, apiKey }).tasks.list({ limit: 1, maxRetries: 0 })
    return ok('the server accepts it')
  } catch (error) {
    const { code, message, status } =
      error instanceof FramegateError ? error : { code: 'error', message: String(error), status: null }
    const advice =
      status === 401 || status === 403
        ? 'ask the operator for a key with the scopes tasks:read and tasks:write'
        : 'run framegate doctor again; if the error remains, see the log of the server'
    return fail(`${message.replace(/\.$/, '')} (${code})`, advice)
  }
}

/** Checks whether the server can use its database, its media store and its scratch folder. */
export async function checkReadiness({ baseUrl }: CheckedServer): Promise<CheckResult> {
  const { status, error } = await readReadiness(baseUrl, AbortSignal.timeout(responseTimeoutMs))
  if (status === 200) return ok('the server reads and writes its database and files')
  if (error !== null) return fail(error, 'see the log of the server; docs/monitoring.md describes each part')
  return warn(
    `the server does not report its readiness (${status} at /readyz)`,
    'check whether a proxy hides /readyz, and request it from the server directly',
  )
}

/**
 * Compares the clocks of this machine and the server. A difference is only a warning, because links
 * expire by the clock of the server. They only seem to expire too early or too late on this
 * machine.
 */
export async function checkClock({ baseUrl }: CheckedServer, signal: AbortSignal): Promise<CheckResult> {
  const serverMs = await readServerTime(baseUrl, signal)
  if (serverMs === null)
    return warn('the responses of the server have no Date header', 'check whether a proxy removes the Date header')
  const skewSeconds = Math.round((Date.now() - serverMs) / 1000)
  if (Math.abs(skewSeconds) <= skewSecondsMax) return ok('this machine and the server have the same time')
  const difference = `this machine is ${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'} the server`
  return warn(difference, 'synchronize both clocks (NTP); until then links seem to expire too early or too late')
}

export function checkProfilesAccess(): CheckResult {
  const path = profilesPath()
  if (process.platform === 'win32') return ok('not checked, because Windows has no file modes')
  return isReadableByOthers(path)
    ? warn(`other users can read the keys in ${path}`, `chmod 600 ${path}`)
    : ok('other users cannot read the keys')
}
