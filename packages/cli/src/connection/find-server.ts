import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { chooseServer } from './choose-server.ts'
import type { ConnectionOptions } from './connection-options.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import { fetchText } from './fetch-text.ts'
import { readProfiles } from './profiles-file.ts'
import type { ServerInUse } from './server-in-use.ts'

const defaultOrigin = 'http://127.0.0.1:8787'
const defaultBasePath = '/api'
export const defaultBaseUrl = `${defaultOrigin}${defaultBasePath}`
const probeTimeoutMs = 2_000

/**
 * Finds the server that the command line, the environment or a profile names, or else a server at
 * the default address. If there is none, starts a temporary server or throws, depending on
 * `whenNone`.
 */
export async function findServer(
  options: ConnectionOptions,
  printNotice: (message: string) => void,
  whenNone: 'start server' | 'require server',
): Promise<ServerInUse> {
  const { url, apiKey, notes } = chooseServer(options, process.env, readProfiles)
  for (const note of notes) printNotice(note)
  if (url) return runningServer(await findBaseUrl(url), apiKey)
  if (await isFramegate(defaultBaseUrl)) return runningServer(defaultBaseUrl, apiKey)
  if (whenNone === 'require server') {
    throw new CommandFailure(
      exitCodes.failed,
      `No Framegate responds at ${defaultBaseUrl}. Start one with framegate serve, or name one with --url or --profile.`,
    )
  }
  printNotice(`No Framegate responds at ${defaultBaseUrl}. This command starts its own server in a temporary folder.`)
  return startEmbeddedServer()
}

function runningServer(baseUrl: string, apiKey: string | undefined): ServerInUse {
  if (!apiKey) {
    throw new CommandFailure(exitCodes.usage, `No API key is set for ${baseUrl}. Set FRAMEGATE_API_KEY or give --api-key.`)
  }
  return { baseUrl, apiKey, [Symbol.asyncDispose]: () => Promise.resolve() }
}

/**
 * Adds the default base path to a URL without a path, unless a Framegate server responds at that
 * URL itself.
 */
export async function findBaseUrl(text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure(
      exitCodes.usage,
      `The address of the server must be a URL such as ${defaultOrigin}/api, not ${text}.`,
    )
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  if (path !== '') return url.origin + path
  return (await isFramegate(url.origin)) ? url.origin : url.origin + defaultBasePath
}

/**
 * Tests whether a Framegate server responds at this base URL: a request without a key must get an
 * error in Framegate's format.
 */
export async function isFramegate(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetchText(`${baseUrl}/v2/model-center/tasks`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(probeTimeoutMs),
    })
    const body = (await response.json()) as { error?: { code?: string; request_id?: string } }
    return body.error?.request_id !== undefined && body.error.code !== 'route_not_found'
  } catch {
    return false
  }
}
