import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ProbedInput } from '../../lib/input-limits.ts'
import type { Driver, GenerationRequest, Json, OperationChanged } from '../driver.ts'
import type { CallUpstream, DownloadFromUpstream } from './call-upstream.ts'
import type { LocalResults } from './local-results.ts'
import type { RouteInput } from './route-input.ts'
import type { StreamFromUpstream } from './stream-upstream.ts'
import type { UpstreamImages } from './upstream-images.ts'

/**
 * The protocol of one kind of provider, for any installation of it. Each kind has a folder of its
 * own and a simulator of its upstream under `test/upstreams/`, and passes the driver suite there.
 */
export interface UpstreamDriver {
  /** The value of `driver` in `framegate.yaml`. */
  readonly name: string
  /**
   * The provider's address, without a slash at the end. Null if each operator has a different
   * address.
   */
  readonly defaultBaseUrl: string | null
  readonly credential: CredentialForm
  /**
   * Returns the violations in a route to this provider. Each is a sentence that begins with the
   * field. Called when the configuration is read.
   */
  findRouteViolations?(target: UpstreamTarget): string[]
  /**
   * Returns the reason why this upstream cannot serve the request. Called at submit. `start` must
   * pass on every parameter that `refuse` accepts, so that no parameter is silently ignored.
   */
  refuse(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null
  /**
   * Set if the upstream's watermark names the upstream's operator. The service then draws its own
   * watermark and never requests the upstream's.
   */
  readonly watermarkNamesUpstream?: true
  /** Set if a route may describe the whole input of its model (`RouteInput`). */
  readonly takesRouteInput?: true
  /** Set if its connections forward requests for token models (`Driver.forward`). */
  readonly forwards?: true
  /** Whether the driver serves text models. If not, `refuse` is not called for them. */
  readonly makesTexts?: true
  /** Whether a route of a text model may give instructions (`systemPrompt`). */
  readonly takesSystemPrompt?: true
  connect(target: ConnectedTarget, tools: UpstreamTools): Driver
  /**
   * Sends a free request that shows whether the address and the key are right. Throws an error
   * whose message is a sentence about the problem. The error is a `ProbeError` if the response did
   * not show whether the key is right.
   */
  probe?(target: ConnectedTarget, tools: UpstreamTools, signal: AbortSignal): Promise<void>
}

export interface CredentialForm {
  isRequired: boolean
  /** Description of the form. It completes the message `api_key must be …`. */
  form: string
  /** Whether a credential has this form. Default: any text that is not empty. */
  isValid?(credential: string): boolean
}

/**
 * One model of one upstream, as a route describes it. It is plain JSON, because it is stored with
 * each attempt of the route.
 */
export interface UpstreamTarget {
  /** Address without a slash at the end. */
  baseUrl: string
  /** The provider's name of the model, from `upstream_model`. */
  model: string
  /** The provider's names for parameters that the operator has named. */
  parameters: Readonly<Record<string, string>>
  /** Fields that the operator adds to every request. They are sent unchanged. */
  extra: Readonly<Record<string, Json>>
  /** Only for `comfyui`: the workflow in API format, and the slots of its parameters. */
  workflow: Json | null
  slots: Readonly<Record<string, string>>
  /**
   * The whole input of the model. It replaces the names and limits in the driver's tables. Null or
   * undefined: the driver's tables apply.
   */
  input?: RouteInput | null
  /** For text models: replaces the instructions that the language model gets. */
  systemPrompt?: string
}

export interface ConnectedTarget extends UpstreamTarget {
  /** Empty if the upstream needs no credential. It must not appear in messages or logs. */
  credential: string
}

/** A client's request before its first attempt. */
export type UpstreamRequest = Pick<GenerationRequest, 'model' | 'object' | 'size' | 'parameters'> & {
  /** Facts about the request's files. Undefined if they are not known. */
  inputs?: readonly ProbedInput[]
}

export interface ParameterRefusal {
  parameter: string
  /** A sentence that states the remedy. It does not name the upstream. */
  message: string
}

export interface UpstreamTools {
  call: CallUpstream
  download: DownloadFromUpstream
  stream: StreamFromUpstream
  fetchUntrusted: FetchUntrusted
  images: UpstreamImages
  /** Storage for results that come with the response to the submit. */
  results: LocalResults
  clock: Clock
  /**
   * Returns the address at which the upstream may report changes of this attempt. Null if the
   * upstream cannot reach this service.
   */
  callbackUrl(attemptId: string): string | null
  /** Reports changes that a driver receives on a connection that it keeps open. */
  operationChanged: OperationChanged
}
