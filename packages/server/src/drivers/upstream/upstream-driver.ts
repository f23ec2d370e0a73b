import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Driver, GenerationParameters, Job, Json, OperationChanged } from '../driver.ts'
import type { CallUpstream, DownloadFromUpstream } from './call-upstream.ts'
import type { KeptResults } from './kept-results.ts'
import type { UpstreamPictures } from './upstream-pictures.ts'

/**
 * How to speak with one kind of provider: everything that does not depend on a single installation. Each has a folder of its
 * own, a simulator of its upstream under `test/upstreams/`, and passes the driver suite there.
 */
export interface UpstreamDriver {
  /** As `driver` in `framegate.yaml` names it. */
  readonly name: string
  /** Where the provider is, without a slash at the end; null where every operator has an address of his own. */
  readonly defaultBaseUrl: string | null
  readonly credential: CredentialForm
  /** What is wrong with a route to it, each a sentence that begins with the field; asked when the configuration is read. */
  findRouteFaults?(target: UpstreamTarget): string[]
  /**
   * Why this upstream cannot be asked for this as it is; asked at submit. Whatever it does not refuse, `start` passes on: no parameter
   * is dropped in silence.
   */
  refuse(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null
  /** Set where the upstream's watermark names whoever runs it: it is not asked for one, and ours is drawn. */
  readonly watermarkNamesUpstream?: true
  connect(target: ConnectedTarget, tools: UpstreamTools): Driver
  /**
   * A request that costs nothing and shows that address and key are right. Throws what is wrong, in a sentence: `ProbeError` when the
   * upstream was reached and nothing is known of the key.
   */
  probe?(target: ConnectedTarget, tools: UpstreamTools, signal: AbortSignal): Promise<void>
}

export interface CredentialForm {
  isRequired: boolean
  /** Completes `api_key must be …`. */
  form: string
  /** Whether a credential has that form; any text that is not empty unless given. */
  isValid?(credential: string): boolean
}

/** One model of one upstream, as a route names it. Plain JSON: it is stored with the attempts that use it. */
export interface UpstreamTarget {
  /** Without a slash at the end. */
  baseUrl: string
  /** `upstream_model`: what the provider calls it. */
  model: string
  /** Our parameters' names to the provider's, where the operator has to say. */
  parameters: Readonly<Record<string, string>>
  /** Sent along as they are. */
  extra: Readonly<Record<string, Json>>
  /** Only for `comfyui`: the workflow in API format and where parameters go in it. */
  workflow: Json | null
  slots: Readonly<Record<string, string>>
}

export interface ConnectedTarget extends UpstreamTarget {
  /** Empty where none is needed. It must not get into messages or logs. */
  credential: string
}

/** What is asked for, before there is an attempt. */
export type UpstreamRequest = Pick<Job, 'model' | 'object' | 'size' | 'parameters'>

export interface ParameterRefusal {
  parameter: keyof GenerationParameters
  /** A sentence that says what would be right, and names no upstream. */
  message: string
}

export interface UpstreamTools {
  call: CallUpstream
  download: DownloadFromUpstream
  fetchUntrusted: FetchUntrusted
  pictures: UpstreamPictures
  /** For results that come with the answer of `start`. */
  results: KeptResults
  clock: Clock
  /** Where the upstream may call when this attempt has news; null where it cannot reach us. */
  callbackUrl(attemptId: string): string | null
  /** For news that a driver hears by itself, on a connection that it keeps open. */
  operationChanged: OperationChanged
}
