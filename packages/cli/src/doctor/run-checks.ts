import type { Config } from '@framegate/server'
import { CommandFailure } from '../command-failure.ts'
import { chooseServer } from '../connection/choose-server.ts'
import type { ConnectionOptions } from '../connection/connection-options.ts'
import { findBaseUrl, defaultBaseUrl, isFramegate } from '../connection/find-server.ts'
import { readProfiles } from '../connection/profiles-file.ts'
import {
  checkBucket,
  checkDatabase,
  checkDataFolder,
  noDatabaseYet,
  checkTaskTimes,
  checkDecoder,
  checkEncoder,
  checkMediaStore,
  checkNode,
  checkPort,
} from './check-machine.ts'
import { checkRender } from './check-render.ts'
import { checkClock, checkKey, checkProfilesAccess, checkReachable, checkReadiness, type CheckedServer } from './check-server.ts'
import { fail, ok, type Finding, type CheckResult } from './finding.ts'

export interface ChecksOptions {
  connection: ConnectionOptions
  loadConfig: () => Promise<Config>
  withRender: boolean
  signal: AbortSignal
  onFinding: (finding: Finding) => void
}

/**
 * Runs the checks in order and skips those whose preconditions are not met. A check that throws
 * counts as failed.
 */
export async function runChecks({ connection, loadConfig, withRender, signal, onFinding }: ChecksOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  async function check(name: string, runCheck: () => CheckResult | Promise<CheckResult>): Promise<void> {
    signal.throwIfAborted()
    const finding = { name, ...(await runSafely(runCheck, signal)) }
    findings.push(finding)
    onFinding(finding)
  }

  let config: Config | undefined
  let server: CheckedServer | undefined
  await check('node', checkNode)
  await check('settings', async () => {
    config = await loadConfig()
    return ok('all settings are valid')
  })
  await check('server', async () => {
    server = await findCheckedServer(connection)
    return checkReachable(server)
  })
  const reachableServer: CheckedServer | undefined = server?.isReachable ? server : undefined
  if (reachableServer !== undefined) {
    await check('api_key', async () => checkKey(reachableServer))
    await check('clock', async () => checkClock(reachableServer, signal))
    await check('readiness', async () => checkReadiness(reachableServer))
  }
  await check('profiles', checkProfilesAccess)
  const settings: Config | undefined = config
  if (settings === undefined) return findings
  await check('data_folder', async () => checkDataFolder(settings, reachableServer !== undefined))
  let hasDatabase = false
  await check('database', async () => {
    const finding = await checkDatabase(settings)
    hasDatabase = finding.status === 'ok' && finding.message !== noDatabaseYet
    return finding
  })
  if (hasDatabase) await check('task_times', async () => checkTaskTimes(settings))
  const { database, media } = settings
  if (hasDatabase && database.kind === 'postgres') await check('media_store', async () => checkMediaStore(settings))
  if (media.kind === 's3') await check('bucket', async () => checkBucket(settings, media))
  await check('port', async () => checkPort(settings, await isFramegateAtPort(settings)))
  await check('encoder', async () => checkEncoder(settings))
  await check('decoder', checkDecoder)
  if (withRender) await check('render', async () => checkRender(signal))
  return findings
}

async function findCheckedServer(connection: ConnectionOptions): Promise<CheckedServer> {
  const { url, apiKey } = chooseServer(connection, process.env, readProfiles)
  const baseUrl = url === undefined ? defaultBaseUrl : await findBaseUrl(url)
  return { baseUrl, apiKey, isAddressGiven: url !== undefined, isReachable: await isFramegate(baseUrl) }
}

async function isFramegateAtPort({ host, port, basePath }: Config): Promise<boolean> {
  const reachableHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return isFramegate(`http://${reachableHost.includes(':') ? `[${reachableHost}]` : reachableHost}:${port}${basePath}`)
}

async function runSafely(runCheck: () => CheckResult | Promise<CheckResult>, signal: AbortSignal): Promise<CheckResult> {
  try {
    return await runCheck()
  } catch (error) {
    if (signal.aborted) throw error
    const message = error instanceof Error ? error.message : String(error)
    const isExpected = error instanceof CommandFailure || (error instanceof Error && error.name === 'ConfigError')
    return fail(message, isExpected ? 'fix the cause' : 'this is an internal error of Framegate; LOG_LEVEL=debug shows details')
  }
}
