import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import type { Clock } from '../../lib/clock.ts'
import type { GivenInput } from '../../lib/input-limits.ts'
import type { Driver, GenerationRequest, Json, OperationChanged } from '../driver.ts'
import type { CallUpstream, DownloadFromUpstream } from './call-upstream.ts'
import type { KeptResults } from './kept-results.ts'
import type { RouteInput } from './route-input.ts'
import type { StreamFromUpstream } from './stream-upstream.ts'
import type { UpstreamImages } from './upstream-images.ts'

/**
 * The protocol of one kind of provider, independent of any single installation. Each has a folder
 * of its own, a simulator of its upstream under `test/upstreams/`, and passes the driver suite
 * there.
 */
export interface UpstreamDriver {
  /** The value of `driver` in `framegate.yaml`. */
  readonly name: string
  /**
   * The provider's address, without a slash at the end; null if every operator has a different one.
   */
  readonly defaultBaseUrl: string | null
  readonly credential: CredentialForm
  /**
   * Violations in a route to this provider, each a sentence that begins with the field. Called when
   * the configuration is read.
   */
  findRouteViolations?(target: UpstreamTarget): string[]
  /**
   * Why this upstream cannot serve the request. Called at submit. `start` must pass on every
   * parameter that `refuse` accepts, so that none is dropped silently.
   */
  refuse(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null
  /**
   * Set if the upstream's watermark names the upstream's operator. It is then never requested; the
   * service draws its own.
   */
  readonly watermarkNamesUpstream?: true
  /** A route may describe the whole input of its model (`RouteInput`). */
  readonly takesRouteInput?: true
  /** Its connection forwards requests for token models (`Driver.forward`). */
  readonly forwards?: true
  /** Whether it serves text models. `refuse` is asked for those only if it does. */
  readonly makesTexts?: true
  /** Whether a route of a text model may give instructions (`systemPrompt`). */
  readonly takesSystemPrompt?: true
  connect(target: ConnectedTarget, tools: UpstreamTools): Driver
  /**
   * A free request that shows whether address and key are right. Throws an error whose message is a
   * sentence about the problem. It is a `ProbeError` if the upstream responded without showing
   * whether the key is right.
   */
  probe?(target: ConnectedTarget, tools: UpstreamTools, signal: AbortSignal): Promise<void>
}

export interface CredentialForm {
  isRequired: boolean
  /** Completes `api_key must be …`. */
  form: string
  /** Whether a credential has that form. Default: any text that is not empty. */
  isValid?(credential: string): boolean
}

/**
 * One model of one upstream, as a route names it. Plain JSON: it is stored with the attempts that
 * use it.
 */
export interface UpstreamTarget {
  /** Without a slash at the end. */
  baseUrl: string
  /** `upstream_model`: the provider's name for it. */
  model: string
  /** The provider's name for each parameter whose name the operator has to give. */
  parameters: Readonly<Record<string, string>>
  /** Fields that the operator adds to every request, sent unchanged. */
  extra: Readonly<Record<string, Json>>
  /** Only for `comfyui`: the workflow in API format, and the slots of its parameters. */
  workflow: Json | null
  slots: Readonly<Record<string, string>>
  /**
   * The whole input of the model. It replaces the names and limits that the driver knows, which
   * apply if it is null or left out.
   */
  input?: RouteInput | null
  /** For text models: replaces the instructions that the language model gets. */
  systemPrompt?: string
}

export interface ConnectedTarget extends UpstreamTarget {
  /** Empty if none is needed. It must not get into messages or logs. */
  credential: string
}

/** A request before there is an attempt. */
export type UpstreamRequest = Pick<GenerationRequest, 'model' | 'object' | 'size' | 'parameters'> & {
  /** Facts about its files. Left out where they are not known. */
  inputs?: readonly GivenInput[]
}

export interface ParameterRefusal {
  parameter: string
  /** A sentence that states the remedy and names no upstream. */
  message: string
}

export interface UpstreamTools {
  call: CallUpstream
  download: DownloadFromUpstream
  stream: StreamFromUpstream
  fetchUntrusted: FetchUntrusted
  images: UpstreamImages
  /** For results that come with the response to the submit. */
  results: KeptResults
  clock: Clock
  /**
   * Address at which the upstream may report changes of this attempt; null if it cannot reach this
   * service.
   */
  callbackUrl(attemptId: string): string | null
  /** For changes that a driver receives on a connection that it keeps open. */
  operationChanged: OperationChanged
}
