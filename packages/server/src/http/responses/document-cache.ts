import type { Brand } from '../../brands/brand.ts'
import type { PriceRule } from '../../catalogue/model.ts'
import type { LargeFile } from './large-file.ts'

/** The inputs of an OpenAPI document. If an input changes, a new document is generated. */
export interface DocumentSource {
  brand: Brand
  /** Prices in the order of the models. Null: the model is not offered. */
  prices: readonly (PriceRule | null)[]
  /** Version of the routes, which determine the parameters of the models. */
  routesVersion: number
}

interface CachedDocument {
  source: DocumentSource
  file: LargeFile
}

interface Writing {
  source: DocumentSource
  file: Promise<LargeFile>
  /** Number of clients waiting for the file. */
  waiting: number
  abandoned: AbortController
}

/** Maximum size of the cache. It has room for about 140 documents of half a megabyte. */
const defaultBytesMax = 64 * 1024 * 1024

/**
 * Caches the OpenAPI documents of the most recently requested brands. All clients that wait for a
 * document share one generation. If all of them disconnect before it starts, it is cancelled.
 */
export class DocumentCache {
  readonly #write: (source: DocumentSource, signal: AbortSignal) => Promise<LargeFile>
  readonly #bytesMax: number
  /** Documents by brand number, the least recently requested first. */
  readonly #cached = new Map<number, CachedDocument>()
  readonly #writing = new Map<number, Writing>()
  #cachedBytes = 0

  constructor(write: (source: DocumentSource, signal: AbortSignal) => Promise<LargeFile>, bytesMax = defaultBytesMax) {
    this.#write = write
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
    const writing = this.#writing.get(no)
    return await this.#awaitDocument(
      writing !== undefined && isSame(writing.source, source) ? writing : this.#begin(source),
      signal,
    )
  }

  #begin(source: DocumentSource): Writing {
    const { no } = source.brand
    const abandoned = new AbortController()
    const writing = { source, file: this.#write(source, abandoned.signal), waiting: 0, abandoned }
    this.#writing.set(no, writing)
    void this.#cacheWhenWritten(writing)
    return writing
  }

  async #cacheWhenWritten(writing: Writing): Promise<void> {
    const { source } = writing
    try {
      const file = await writing.file
      if (this.#end(writing)) this.#cacheDocument({ source, file })
    } catch {
      // Ignored here, because the waiting clients get the error.
      this.#end(writing)
    }
  }

  /** Returns false if the generation was cancelled, or if the brand has changed in the meantime. */
  #end(writing: Writing): boolean {
    const { no } = writing.source.brand
    return this.#writing.get(no) === writing && this.#writing.delete(no)
  }

  async #awaitDocument(writing: Writing, signal: AbortSignal): Promise<LargeFile> {
    const leave = (): void => {
      writing.waiting -= 1
      if (writing.waiting > 0) return
      this.#end(writing)
      writing.abandoned.abort(signal.reason)
    }
    writing.waiting += 1
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await writing.file
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
