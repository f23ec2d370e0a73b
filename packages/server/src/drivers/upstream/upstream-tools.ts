import type { Clock } from '../../lib/clock.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import type { DecodeImageFile } from '../../media/decode-image-file.ts'
import type { OperationChanged } from '../driver.ts'
import { UpstreamConnections, type OnExchange } from './call-upstream.ts'
import { openLocalResults } from './local-results.ts'
import { StreamingConnections } from './stream-upstream.ts'
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
  const connections = stack.use(new UpstreamConnections(onExchange))
  return {
    call: connections.call,
    download: connections.download,
    stream: stack.use(new StreamingConnections(onExchange)).stream,
    fetchUntrusted,
    files: createUpstreamFiles({ fetchUntrusted, decodeImageFile, assets }),
    results: openLocalResults(localResultsFolder),
    clock,
    operationChanged,
  }
}
