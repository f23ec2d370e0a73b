import { existsSync, statfsSync, accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Config, S3Config } from '@framegate/server'
import { fail, ok, warn, type CheckResult } from './finding.ts'

const nodeMajorMin = 24
const freeBytesMin = 1024 ** 3

const encoderAdvice =
  'install an ffmpeg with libopenh264 or libx264, or the package @napi-rs/webcodecs next to framegate (docs/licenses.md)'

export function checkNode(): CheckResult {
  const { node } = process.versions
  return Number.parseInt(node, 10) >= nodeMajorMin
    ? ok(`Node ${node}`)
    : fail(`Node ${node} is too old`, `install Node ${nodeMajorMin} or later from https://nodejs.org`)
}

/**
 * Checks the encoder that draws watermarks on videos from upstreams. Rendered videos do not need
 * it.
 */
export async function checkEncoder({ watermarkEncoder, routing }: Config): Promise<CheckResult> {
  const { findVideoEncoder } = await import('@framegate/server')
  try {
    const encoder = await findVideoEncoder(watermarkEncoder)
    return ok(encoder.program === 'ffmpeg' ? `ffmpeg, with ${encoder.codec}` : encoder.program)
  } catch (error) {
    const message = messageOf(error)
    if (watermarkEncoder !== 'auto') return fail(message, `${encoderAdvice}, or set FRAMEGATE_ENCODER=auto`)
    return routing.upstreams === null ? ok(`${message}; only videos from upstreams need it`) : warn(message, encoderAdvice)
  }
}

/** Checks the decoder that the embedded driver needs for input videos and sound. */
export async function checkDecoder(): Promise<CheckResult> {
  const { hasVideoDecoder } = await import('@framegate/server')
  if (hasVideoDecoder()) return ok('ffmpeg')
  return ok(
    'there is no ffmpeg on PATH, so the embedded driver rejects input videos and sound, and videos from upstreams have no ' +
      'thumbnails',
  )
}

/**
 * Checks the data folder. Does not create a missing folder; the first start of the service does.
 */
export async function checkDataFolder(config: Config, isServerRunning: boolean): Promise<CheckResult> {
  const { dataDir } = config
  if (!existsSync(dataDir)) return checkParent(dataDir)
  const { DataFolderInUse, lockDataFolder, tryFolders } = await import('@framegate/server')
  try {
    await tryFolders(config)
    lockDataFolder(dataDir)[Symbol.dispose]()
  } catch (error) {
    if (error instanceof DataFolderInUse) {
      return isServerRunning
        ? ok(`${dataDir}, in use by a running service`)
        : warn(messageOf(error), 'to check that service, give its address with --url; otherwise stop it')
    }
    return fail(messageOf(error), "free space, grant the service's user write permission, or choose another folder")
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const freeBytes = bavail * bsize
  const freeText = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`
  return freeBytes >= freeBytesMin
    ? ok(`${dataDir}, ${freeText}`)
    : warn(
        `${dataDir}: only ${freeText}`,
        'free space, choose another folder, or keep results for a shorter time (RESULT_RETENTION)',
      )
}

export const noDatabaseYet = 'the first start will create it'

/**
 * Tests whether the database accepts writes. Skips a SQLite file that a running service has locked,
 * because `checkReadiness` queries that service.
 */
export async function checkDatabase(config: Config): Promise<CheckResult> {
  const { DataFolderInUse, lockDataFolder, tryDatabase } = await import('@framegate/server')
  const { database, dataDir } = config
  try {
    const isFile = database.kind === 'sqlite'
    if (isFile && !existsSync(dataDir)) return ok(noDatabaseYet)
    using _lock = isFile ? lockDataFolder(dataDir) : undefined
    const name = await tryDatabase(config)
    return ok(name === null ? noDatabaseYet : `${name} accepts writes`)
  } catch (error) {
    if (error instanceof DataFolderInUse) return ok('in use by a running service')
    return fail(messageOf(error), 'correct the cause, or restore a backup (docs/backup.md)')
  }
}

/**
 * Looks for tasks that were accepted while the clock was ahead. Such tasks come first in every list
 * until the clock has passed their time.
 */
export async function checkTaskTimes(config: Config): Promise<CheckResult> {
  const { findFutureTasks } = await import('@framegate/server')
  const futureTasks = await findFutureTasks(config)
  if (futureTasks === null) return ok('no task has a time in the future')
  const { tasks, newestMs } = futureTasks
  const newestTime = new Date(newestMs).toISOString()
  return warn(
    `${tasks === 1 ? '1 task has' : `${tasks} tasks have`} a time in the future, the newest ${newestTime}; the time of this ` +
      `machine is ${new Date().toISOString()}`,
    'check the clock (NTP); once it is correct, new tasks get current ids, and existing tasks keep theirs',
  )
}

/** Looks for running processes of the same installation that store media elsewhere. */
export async function checkMediaStore(config: Config): Promise<CheckResult> {
  const { findOtherMediaStore, otherMediaAdvice } = await import('@framegate/server')
  const other = await findOtherMediaStore(config)
  return other === null ? ok('no running process stores media elsewhere') : fail(other, otherMediaAdvice.replace(/\.$/, ''))
}

function checkParent(dataDir: string): CheckResult {
  let parent = dirname(dataDir)
  while (!existsSync(parent)) parent = dirname(parent)
  try {
    accessSync(parent, constants.W_OK | constants.X_OK)
    return ok(`the first start will create ${dataDir}`)
  } catch {
    return fail(
      `${dataDir} cannot be created: ${parent} is not writable`,
      'choose another folder with --data-dir or FRAMEGATE_DATA_DIR',
    )
  }
}

/** Checks the bucket as the service does at start-up. */
export async function checkBucket(config: Config, { bucket, endpoint }: S3Config): Promise<CheckResult> {
  const { openMediaStore } = await import('@framegate/server')
  await using resources = new AsyncDisposableStack()
  try {
    await openMediaStore(config, resources)
    return ok(`${bucket} at ${endpoint}`)
  } catch (error) {
    return fail(messageOf(error), 'correct that setting; docs/s3.md describes the settings and the permissions of the key')
  }
}

export async function checkPort({ host, port }: Config, isServerRunning: boolean): Promise<CheckResult> {
  if (port === 0) return ok('any free port')
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    probe.close()
    await once(probe, 'close')
    return ok(`${port} of ${host} is free`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      return isServerRunning
        ? ok(`the service listens on ${port} of ${host}`)
        : fail(`${port} of ${host} is in use by another program`, 'stop it, or choose another port with --port or FRAMEGATE_PORT')
    }
    return fail(
      `listening on ${port} of ${host} is not possible (${code ?? message})`,
      'set FRAMEGATE_HOST and FRAMEGATE_PORT to an address of this machine',
    )
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
