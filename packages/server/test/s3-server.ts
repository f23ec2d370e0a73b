import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Config } from '../src/config/media-config.ts'
import { Secret } from '../src/config/secret.ts'
import { freePort } from './free-port.ts'
import { spawnGuarded } from './spawn-guarded.ts'

const program = 'versitygw'
const programPath = findProgram()

/** Reason why the tests cannot run. Null if they can. In CI, a missing server is an error. */
export const s3ServerUnavailable =
  programPath === null ? `no ${program} on the PATH or in ~/go/bin; CONTRIBUTING.md says how to install it` : null
if (s3ServerUnavailable !== null && process.env['CI'] === 'true') throw new Error(`CI must test S3: ${s3ServerUnavailable}`)

/** Returns the name of a suite, with the reason if it cannot run. */
export const s3Suite = (name: string): string =>
  s3ServerUnavailable === null ? name : `${name} (skipped: ${s3ServerUnavailable})`

/**
 * A real S3 server on this machine with its own folder. It checks signatures, hashes and expiry
 * like S3.
 */
export interface S3Server extends AsyncDisposable {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** Creates a separate bucket and returns its settings. */
  newBucket(changes?: Partial<S3Config>): S3Config
  /** Lists the bucket: the keys of its objects, and the files of unfinished uploads. */
  filesIn(bucket: string): { objects: string[]; unfinished: string[] }
  /** Returns the path of an object's file. */
  pathOf(bucket: string, key: string): string
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  /**
   * Starts the server again at the same address with its existing data. No effect while it runs.
   */
  start(): Promise<void>
}

const accessKeyId = 'tester'
const secretAccessKey = 'the-planted-secret-of-the-s3-tests'
/** The domain of the server. Each subdomain is a bucket. */
export const virtualDomain = 's3.test'
const startMsMax = 20_000
const multipartFolder = '.sgwtmp'

export async function startS3Server(): Promise<S3Server> {
  const root = mkdtempSync(path.join(tmpdir(), 'framegate-s3-'))
  const [data, metadata] = [path.join(root, 'data'), path.join(root, 'metadata')]
  mkdirSync(data)
  mkdirSync(metadata)
  const address = `127.0.0.1:${await freePort()}`
  let child: ChildProcess | undefined
  let bucketCount = 0

  const server: S3Server = {
    endpoint: `http://${address}`,
    accessKeyId,
    secretAccessKey,

    newBucket(changes = {}) {
      bucketCount += 1
      const bucket = `bucket-${bucketCount}`
      mkdirSync(path.join(data, bucket))
      return {
        kind: 's3',
        endpoint: server.endpoint,
        bucket,
        region: 'us-east-1',
        accessKey: { id: accessKeyId, secret: new Secret(secretAccessKey) },
        addressing: 'path',
        prefix: '',
        delivery: 'redirect',
        publicUrl: null,
        ...changes,
      }
    },

    filesIn(bucket) {
      const files = readdirSync(path.join(data, bucket), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(path.join(data, bucket), path.join(entry.parentPath, entry.name)))
      return {
        objects: files.filter((file) => !isUnfinished(file)).sort(),
        unfinished: files.filter((file) => isUnfinished(file)),
      }
    },

    pathOf: (bucket, key) => path.join(data, bucket, key),

    async kill() {
      if (child === undefined) return
      const exited = once(child, 'exit')
      child.stdin?.end()
      child = undefined
      await exited
    },

    async start() {
      if (child !== undefined) return
      const flags = ['--port', address, '--virtual-domain', virtualDomain, '--keep-alive', '--quiet']
      // The server stores metadata in separate files, because not every file system supports
      // extended attributes.
      child = spawnGuarded([programPath ?? program, ...flags, 'posix', '--sidecar', metadata, data], {
        PATH: process.env['PATH'],
        ROOT_ACCESS_KEY: accessKeyId,
        ROOT_SECRET_KEY: secretAccessKey,
      })
      for (const until = Date.now() + startMsMax; Date.now() < until; await sleep(50)) {
        if (await isResponding(server.endpoint)) return
      }
      throw new Error(`${program} did not start`)
    },

    async [Symbol.asyncDispose]() {
      await server.kill()
      rmSync(root, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

function findProgram(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), path.join(homedir(), 'go', 'bin')]
  return folders.map((folder) => path.join(folder, program)).find((file) => isExecutable(file)) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isUnfinished(file: string): boolean {
  return file.startsWith(multipartFolder)
}

async function isResponding(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint)).arrayBuffer()
    return true
  } catch {
    return false
  }
}
