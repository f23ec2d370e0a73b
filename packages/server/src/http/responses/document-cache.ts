import type { Brand } from '../../brands/brand.ts'
import type { PriceRule } from '../../catalogue/model.ts'
import type { LargeFile } from './large-file.ts'

/** The inputs of an OpenAPI document. If an input changes, a new document is generated. */
export interface DocumentSource {
  brand: Brand
  /** Prices in the order of the models. Null: the model is not offered. */
  prices: readonly (PriceRule | null)[]
  /** Version of the models' routes to upstreams, which determine the parameters of the models. */
  routesVersion: number
}

interface CachedDocument {
  source: DocumentSource
  file: LargeFile
}

interface Generation {
  source: DocumentSource
  file: Promise<LargeFile>
  waitingClients: number
  /** Aborts when no client waits any longer. */
  abandoned: AbortController
}

/** Maximum size of the cache, enough for about 130 documents of half a megabyte. */
const defaultBytesMax = 64 * 1024 * 1024

/**
 * Caches the OpenAPI documents of the most recently requested brands. A brand is a storefront with
 * its own domain (docs/glossary.md). All clients that wait for a document share one generation. If
 * all of them disconnect, its signal aborts.
 */
export class DocumentCache {
  readonly #generate: (source: DocumentSource, signal: AbortSignal) => Promise<LargeFile>
  readonly #bytesMax: number
  /** Documents by brand number, the least recently requested first. */
  readonly #cached = new Map<number, CachedDocument>()
  /** Generations in progress by brand number. */
  readonly #generations = new Map<number, Generation>()
  #cachedBytes = 0

  constructor(generate: (source: DocumentSource, signal: AbortSignal) => Promise<LargeFile>, bytesMax = defaultBytesMax) {
    this.#generate = generate
    this.#bytesMax = bytesMax
  }

  async read(source: DocumentSource, signal: AbortSignal): Promise<LargeFile> {
    const { no } = source.brand
    const cachedDocument = this.#cached.get(no)
    if (cachedDocument !== undefined && isSame(cachedDocument.source, source)) {
      this.#cached.delete(no)
      this.#cached.set(no, cachedDocument)
      return cachedDocument.file
    }
    const generation = this.#generations.get(no)
    return await this.#awaitDocument(
      generation !== undefined && isSame(generation.source, source) ? generation : this.#begin(source),
      signal,
    )
  }

  #begin(source: DocumentSource): Generation {
    const { no } = source.brand
    const abandoned = new AbortController()
    const generation = { source, file: this.#generate(source, abandoned.signal), waitingClients: 0, abandoned }
    this.#generations.set(no, generation)
    void this.#cacheWhenGenerated(generation)
    return generation
  }

  async #cacheWhenGenerated(generation: Generation): Promise<void> {
    const { source } = generation
    try {
      const file = await generation.file
      if (this.#end(generation)) this.#cacheDocument({ source, file })
    } catch {
      // Ignored here, because the waiting clients get the error.
      this.#end(generation)
    }
  }

  /** Removes a generation in progress. Returns false if it was cancelled or replaced before. */
  #end(generation: Generation): boolean {
    const { no } = generation.source.brand
    return this.#generations.get(no) === generation && this.#generations.delete(no)
  }

  async #awaitDocument(generation: Generation, signal: AbortSignal): Promise<LargeFile> {
    const leave = (): void => {
      generation.waitingClients -= 1
      if (generation.waitingClients > 0) return
      this.#end(generation)
      generation.abandoned.abort(signal.reason)
    }
    generation.waitingClients += 1
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await generation.file
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #cacheDocument(document: CachedDocument): void {
    this.#remove(document.source.brand.no)
    this.#cached.set(document.source.brand.no, document)
    this.#cachedBytes += bytesOf(document)
    for (const no of this.#cached.keys()) {
      if (this.#cachedBytes <= this.#bytesMax) break
      this.#remove(no)
    }
  }

  #remove(no: number): void {
    const cachedDocument = this.#cached.get(no)
    if (cachedDocument === undefined) return
    this.#cached.delete(no)
    this.#cachedBytes -= bytesOf(cachedDocument)
  }
}

function isSame(first: DocumentSource, second: DocumentSource): boolean {
  if (first.brand !== second.brand || first.routesVersion !== second.routesVersion) return false
  return first.prices.every((price, index) => price === second.prices[index])
}

function bytesOf({ file }: CachedDocument): number {
  return file.uncompressed.byteLength + file.gzipped.byteLength
}
