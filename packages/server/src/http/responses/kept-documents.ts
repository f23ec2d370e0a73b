import type { Brand } from '../../brands/brand.ts'
import type { PriceRule } from '../../catalogue/model.ts'
import type { LargeFile } from './large-file.ts'

/** The inputs of a document. A change of an input causes a new document. */
export interface DocumentSource {
  brand: Brand
  /** Prices in the order of the models. Null means that the model is not offered. */
  prices: readonly (PriceRule | null)[]
  /** Version of the routes, which determine the parameters of the models. */
  routesVersion: number
}

interface Kept {
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

/** Size that suffices for about 140 brands, because a document takes half a megabyte. */
const defaultBytesMax = 64 * 1024 * 1024

/**
 * Cache of the documents of the most recently requested brands. A document is written once for all
 * clients that wait for it. If all of them disconnect before the start, the document is not
 * written.
 */
export class KeptDocuments {
  readonly #write: (source: DocumentSource, signal: AbortSignal) => Promise<LargeFile>
  readonly #bytesMax: number
  /** Documents by brand number, the least recently requested first. */
  readonly #kept = new Map<number, Kept>()
  readonly #writing = new Map<number, Writing>()
  #keptBytes = 0

  constructor(write: (source: DocumentSource, signal: AbortSignal) => Promise<LargeFile>, bytesMax = defaultBytesMax) {
    this.#write = write
    this.#bytesMax = bytesMax
  }

  async read(source: DocumentSource, signal: AbortSignal): Promise<LargeFile> {
    const { no } = source.brand
    const kept = this.#kept.get(no)
    if (kept !== undefined && isSame(kept.source, source)) {
      this.#kept.delete(no)
      this.#kept.set(no, kept)
      return kept.file
    }
    const writing = this.#writing.get(no)
    return await this.#await(writing !== undefined && isSame(writing.source, source) ? writing : this.#begin(source), signal)
  }

  #begin(source: DocumentSource): Writing {
    const { no } = source.brand
    const abandoned = new AbortController()
    const writing = { source, file: this.#write(source, abandoned.signal), waiting: 0, abandoned }
    this.#writing.set(no, writing)
    void this.#keepWhenWritten(writing)
    return writing
  }

  async #keepWhenWritten(writing: Writing): Promise<void> {
    const { source } = writing
    try {
      const file = await writing.file
      if (this.#end(writing)) this.#keep({ source, file })
    } catch {
      // The error is ignored here, because the waiting clients receive it.
      this.#end(writing)
    }
  }

  /** Returns false if the write was abandoned, or if the brand has changed in the meantime. */
  #end(writing: Writing): boolean {
    const { no } = writing.source.brand
    return this.#writing.get(no) === writing && this.#writing.delete(no)
  }

  async #await(writing: Writing, signal: AbortSignal): Promise<LargeFile> {
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

  #keep(document: Kept): void {
    this.#drop(document.source.brand.no)
    this.#kept.set(document.source.brand.no, document)
    this.#keptBytes += bytesOf(document)
    for (const no of this.#kept.keys()) {
      if (this.#keptBytes <= this.#bytesMax) break
      this.#drop(no)
    }
  }

  #drop(no: number): void {
    const kept = this.#kept.get(no)
    if (kept === undefined) return
    this.#kept.delete(no)
    this.#keptBytes -= bytesOf(kept)
  }
}

function isSame(one: DocumentSource, other: DocumentSource): boolean {
  if (one.brand !== other.brand || one.routesVersion !== other.routesVersion) return false
  return one.prices.every((price, index) => price === other.prices[index])
}

function bytesOf({ file }: Kept): number {
  return file.plain.byteLength + file.gzipped.byteLength
}
