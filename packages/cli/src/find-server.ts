import { CommandFailure } from './command-failure.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import { exitCodes } from './exit-codes.ts'
import type { ServerInUse } from './server-in-use.ts'

const defaultOrigin = 'http://127.0.0.1:8787'
const defaultBasePath = '/api'
const probeMsMax = 2_000

/**
 * The one that the command line or FRAMEGATE_URL names; else the one at the default address; else one of our own, for
 * the time of the command.
 */
export async function findServer(options: { url?: string; apiKey?: string }, say: (words: string) => void): Promise<ServerInUse> {
  const url = options.url ?? process.env['FRAMEGATE_URL']?.trim()
  const apiKey = options.apiKey ?? process.env['FRAMEGATE_API_KEY']?.trim()
  if (url) return inUse(await baseUrlOf(url), apiKey)
  const defaultBaseUrl = `${defaultOrigin}${defaultBasePath}`
  if (await isFramegate(defaultBaseUrl)) return inUse(defaultBaseUrl, apiKey)
  say(`No Framegate answers at ${defaultBaseUrl}: one is started for this task alone, in a temporary folder.`)
  return startEmbeddedServer()
}

function inUse(baseUrl: string, apiKey: string | undefined): ServerInUse {
  if (!apiKey) {
    throw new CommandFailure(exitCodes.usage, `An API key for ${baseUrl} is needed: set FRAMEGATE_API_KEY or give --api-key.`)
  }
  return { baseUrl, apiKey, [Symbol.asyncDispose]: () => Promise.resolve() }
}

// A bare origin stands for its usual base address, unless that one is known to be without prefix.
async function baseUrlOf(text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure(
      exitCodes.usage,
      `The address of the server must be a URL such as ${defaultOrigin}/api, not ${text}.`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path !== '') return url.origin + path
  return (await isFramegate(url.origin)) ? url.origin : url.origin + defaultBasePath
}

/** Asks without a key: a Framegate answers every request that it understands, and refuses in its own form. */
async function isFramegate(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/v2/model-center/tasks`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(probeMsMax),
    })
    const answer = (await response.json()) as { error?: { code?: string; request_id?: string } }
    return answer.error?.request_id !== undefined && answer.error.code !== 'route_not_found'
  } catch {
    return false
  }
}
