import type { Clock } from '../../lib/clock.ts'
import { loadOnce } from '../../lib/load-once.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import type { DecodeImageFile } from '../../media/decode-image-file.ts'
import type { OperationChanged } from '../driver.ts'
import type { OnExchange } from './call-upstream.ts'
import { openLocalResults } from './local-results.ts'
import type { UpstreamTools } from './upstream-driver.ts'
import { createUpstreamFiles, type AssetSource } from './upstream-files.ts'

export interface UpstreamToolsDependencies {
  fetchUntrusted: FetchUntrusted
  decodeImageFile: DecodeImageFile
  assets: AssetSource
  /** Folder for results that an upstream returns only once. */
  localResultsFolder: string
  clock: Clock
  operationChanged: OperationChanged
  onExchange: OnExchange
}

/** Opens the dependencies that all upstream drivers share. `stack` closes their connections. */
export function openUpstreamTools(
  stack: AsyncDisposableStack,
  { fetchUntrusted, decodeImageFile, assets, localResultsFolder, clock, operationChanged, onExchange }: UpstreamToolsDependencies,
): Omit<UpstreamTools, 'callbackUrl'> {
  const connections = atFirstUse(stack, async () => {
    const { UpstreamConnections } = await import('./call-upstream.ts')
    return new UpstreamConnections(onExchange)
  })
  const streamingConnections = atFirstUse(stack, async () => {
    const { StreamingConnections } = await import('./stream-upstream.ts')
    return new StreamingConnections(onExchange)
  })
  return {
    call: async (call) => (await connections()).call(call),
    download: async (download) => (await connections()).download(download),
    stream: async (call) => (await streamingConnections()).stream(call),
    fetchUntrusted,
    files: createUpstreamFiles({ fetchUntrusted, decodeImageFile, assets }),
    results: openLocalResults(localResultsFolder),
    clock,
    operationChanged,
  }
}

/**
 * Opens connections at the first use. They need the package undici, whose load would take a
 * twentieth of the CPU time of a start.
 */
function atFirstUse<T extends AsyncDisposable>(stack: AsyncDisposableStack, open: () => Promise<T>): () => Promise<T> {
  const connections = loadOnce(open)
  stack.defer(async () => {
    await (await connections.loaded())?.[Symbol.asyncDispose]()
  })
  return connections.load
}
