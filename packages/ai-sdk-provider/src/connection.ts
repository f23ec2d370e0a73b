import { NoSuchModelError } from '@ai-sdk/provider'
import { Framegate, type Model } from '@framegate/sdk'
import { createServiceFetch } from './service-fetch.ts'
import type { FramegateProviderSettings } from './settings.ts'

/** Maximum number of cached model definitions. */
const cachedModelsMax = 1000

/** Access to one service: clients, and cached model definitions. */
export interface Connection {
  readonly cancelOnAbort: boolean
  readonly downloads: 'provider' | 'ai-sdk' | undefined
  /** Returns a client that sends the given headers with every request. */
  readonly clientFor: (headers: Record<string, string | undefined> | undefined) => Framegate
  /** Returns the definition of a model. Up to `cachedModelsMax` definitions are cached. */
  readonly modelOf: (client: Framegate, modelId: string, signal: AbortSignal | undefined) => Promise<Model>
}

export function createConnection(settings: FramegateProviderSettings): Connection {
  const { apiKey, baseURL, fetch: customFetch, headers: fixedHeaders, downloads, cancelOnAbort = true } = settings
  const cachedModels = new Map<string, Model>()
  return {
    cancelOnAbort,
    downloads,
    // A client keeps no connections, so each call may create a new client. The environment is read
    // here, so that a module may create a provider before the program has set the variables.
    clientFor(headers) {
      const addedHeaders = { ...fixedHeaders, ...removeReserved(headers) }
      const send = customFetch ?? globalThis.fetch
      const client: Framegate = new Framegate({
        apiKey,
        baseUrl: baseURL,
        fetch: createServiceFetch(send, addedHeaders, () => client.baseUrl),
      })
      return client
    },
    async modelOf(client, modelId, signal) {
      const cached = cachedModels.get(modelId)
      if (cached !== undefined) return cached
      const model = await client.models.get(modelId, { signal })
      if (cachedModels.size < cachedModelsMax) cachedModels.set(modelId, model)
      return model
    },
  }
}

/** Headers of a call that are not forwarded, because the client sets them itself. */
const reservedNames = new Set(['authorization', 'content-type', 'idempotency-key'])

function removeReserved(headers: Record<string, string | undefined> = {}): Record<string, string> {
  const allowedHeaders = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !reservedNames.has(name.toLowerCase()),
  )
  return Object.fromEntries(allowedHeaders) as Record<string, string>
}

/**
 * Throws an error if the model is of another type. Call it before a task is created and charged.
 */
export function requireType({ id, type }: Model, requiredType: 'image' | 'video'): void {
  if (type === requiredType) return
  const remedy = type === 'image' || type === 'video' ? ` Use ${type}(${JSON.stringify(id)}) of this provider.` : ''
  throw new NoSuchModelError({
    modelId: id,
    modelType: `${requiredType}Model`,
    message: `${id} is not a model for ${requiredType}s: its type is ${type}.${remedy}`,
  })
}
