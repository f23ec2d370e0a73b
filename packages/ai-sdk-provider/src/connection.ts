import { Framegate, type Model } from '@framegate/sdk'
import type { FramegateProviderSettings } from './settings.ts'

/** Largest number of models whose definitions a provider remembers. */
const modelsMax = 1000

/** A service, and what the provider knows of its models. */
export interface Connection {
  readonly cancelOnAbort: boolean
  readonly downloads: 'provider' | 'ai-sdk' | undefined
  /** A client that sends the headers of a call with every request. */
  readonly clientFor: (headers: Record<string, string | undefined> | undefined) => Framegate
  /** The definition of a model, which is queried once. */
  readonly modelOf: (client: Framegate, modelId: string, signal: AbortSignal | undefined) => Promise<Model>
}

export function createConnection(settings: FramegateProviderSettings): Connection {
  const { apiKey, baseURL, fetch: given, headers: fixedHeaders, downloads, cancelOnAbort = true } = settings
  const known = new Map<string, Model>()
  return {
    cancelOnAbort,
    downloads,
    // A client keeps no connections, so each call may have its own. The environment is read here, so that
    // a module may create a provider before its program has set the variables.
    clientFor(headers) {
      const added = { ...fixedHeaders, ...withoutReserved(headers) }
      const send = given ?? globalThis.fetch
      const client: Framegate = new Framegate({
        apiKey,
        baseUrl: baseURL,
        fetch: (url, init) => send(url, isOfService(url, client) ? { ...init, headers: merged(added, init) } : init),
      })
      return client
    },
    async modelOf(client, modelId, signal) {
      const cached = known.get(modelId)
      if (cached !== undefined) return cached
      const model = await client.models.get(modelId, { signal })
      if (known.size < modelsMax) known.set(modelId, model)
      return model
    },
  }
}

/** Results may be on other hosts, which must not receive the headers of the user. */
function isOfService(url: string, { baseUrl }: Framegate): boolean {
  return new URL(url).origin === new URL(baseUrl).origin
}

function merged(added: Record<string, string>, { headers }: RequestInit): Record<string, string> {
  return { ...added, ...(headers as Record<string, string> | undefined) }
}

/** Headers that the client sends itself. */
const reserved = new Set(['authorization', 'content-type', 'idempotency-key'])

function withoutReserved(headers: Record<string, string | undefined> = {}): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !reserved.has(name.toLowerCase()))
  return Object.fromEntries(kept) as Record<string, string>
}
