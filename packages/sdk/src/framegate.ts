import { createAssets, type Assets } from './assets.ts'
import { createCredits, type Credits } from './credits.ts'
import { createEvents, type Events } from './events.ts'
import { FramegateError } from './framegate-error.ts'
import { logRequests, type Logger } from './log-requests.ts'
import { createModels, type Models } from './models.ts'
import { createTasks, type Tasks } from './tasks.ts'
import { createUsage, type Usage } from './usage.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'
import type { RequestOptions } from './call-options.ts'
import { createTransport, type Call, type Fetch, type Transport } from './transport.ts'

export interface FramegateOptions {
  /** Default: the environment variable FRAMEGATE_API_KEY. */
  apiKey?: string | undefined
  /**
   * Base URL of the service, with its path prefix. If the URL has no path, the client tries the
   * prefix `/api` first, and then no prefix. Default: the environment variable FRAMEGATE_URL, or
   * else `http://127.0.0.1:8787/api`.
   */
  baseUrl?: string | undefined
  /** Timeout in seconds for one attempt, until the complete response has arrived. Default: 60. */
  timeoutSeconds?: number | undefined
  /**
   * Maximum number of retries of a failed request, if a retry may succeed. Each call can override
   * it. Default: 3.
   */
  maxRetries?: number | undefined
  /** Custom `fetch`. Default: the global one. */
  fetch?: Fetch | undefined
  /**
   * Logger for one line per request, without keys, prompts or signatures, such as `console`.
   * Default: none.
   */
  logger?: Logger | undefined
}

/**
 * A request. `path` is relative to the base URL. `body` is sent as JSON, unless it is a `FormData`
 * or a `Blob`.
 */
export type AnyCall = Pick<Call, 'method' | 'path' | 'query' | 'body' | 'idempotencyKey'>

const defaultBaseUrl = 'http://127.0.0.1:8787/api'

/**
 * Client of one Framegate service with one API key. It keeps no connections and need not be closed.
 */
export class Framegate {
  readonly tasks: Tasks
  readonly models: Models
  readonly assets: Assets
  readonly credits: Credits
  readonly usage: Usage
  readonly events: Events
  readonly webhooks: Webhooks
  readonly #transport: Transport

  constructor({ apiKey, baseUrl, timeoutSeconds, maxRetries, fetch, logger, ...others }: FramegateOptions = {}) {
    const [param] = Object.keys(others)
    if (param) throw new FramegateError({ code: 'invalid_option', param, message: `There is no option ${param}.` })
    // Calls `fetch` as a method of `globalThis`, because browsers reject any other `this`.
    fetch ??= (url, init) => globalThis.fetch(url, init)
    this.#transport = createTransport({
      baseUrl: readBaseUrl(baseUrl ?? (readEnvironment('FRAMEGATE_URL') || defaultBaseUrl)),
      apiKey: readApiKey(apiKey ?? readEnvironment('FRAMEGATE_API_KEY')),
      timeoutSeconds: timeoutSeconds ?? 60,
      maxRetries: maxRetries ?? 3,
      fetch: logger ? logRequests(fetch, logger) : fetch,
    })
    this.assets = createAssets(this.#transport)
    this.tasks = createTasks(this.#transport, this.assets)
    this.models = createModels(this.#transport)
    this.credits = createCredits(this.#transport)
    this.usage = createUsage(this.#transport)
    this.events = createEvents(this.#transport)
    this.webhooks = createWebhooks(this.#transport)
  }

  /**
   * Sends a request for which the client has no method, such as one of the operator API. Returns
   * the JSON object in the response, or null if the response has no content (204). The request is
   * retried like other calls; set `maxRetries: 0` if it is not idempotent.
   */
  async request<T>(call: AnyCall, options?: RequestOptions): Promise<T> {
    return (await this.#transport.call<T>({ ...call, mayBeEmpty: true }, options)).body
  }

  /** Prefix of every request URL. */
  get baseUrl(): string {
    return this.#transport.baseUrl
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new FramegateError({
    code: 'invalid_option',
    param: 'baseUrl',
    message: `The base URL must be an address such as ${defaultBaseUrl}; got ${JSON.stringify(text)}.`,
  })
}

/**
 * Rejects a key that is invalid in a header, because the error that `fetch` throws would contain
 * the key.
 */
function readApiKey(text: string | undefined): string {
  const key = text?.trim()
  if (!key) {
    throw new FramegateError({
      code: 'missing_api_key',
      param: 'apiKey',
      message: 'No API key is set. Pass new Framegate({ apiKey }), or set FRAMEGATE_API_KEY.',
    })
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new FramegateError({
    code: 'invalid_option',
    param: 'apiKey',
    message: 'The API key has invalid characters, such as spaces.',
  })
}

/**
 * Reads an environment variable. Undefined if the runtime has no environment or denies access to
 * it.
 */
function readEnvironment(name: 'FRAMEGATE_URL' | 'FRAMEGATE_API_KEY'): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
    return process?.env?.[name]?.trim()
  } catch {
    return undefined
  }
}
