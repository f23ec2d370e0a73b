import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ProbedInput } from '../../lib/input-limits.ts'
import type { Driver, GenerationRequest, Json, OperationChanged } from '../driver.ts'
import type { CallUpstream, DownloadFromUpstream } from './call-upstream.ts'
import type { LocalResults } from './local-results.ts'
import type { RouteInput } from './route-input.ts'
import type { StreamFromUpstream } from './stream-upstream.ts'
import type { UpstreamFiles } from './upstream-files.ts'

/**
 * The API of one kind of provider. Each has a folder under `drivers/`, and a simulated upstream
 * under `test/upstreams/`, against which the tests that all drivers share (`driver.suite.ts`) run.
 */
export interface UpstreamDriver {
  /** The value of `driver` in `framegate.yaml`. */
  readonly name: string
  /**
   * The provider's base URL, without a trailing slash. Null if each operator has a different one.
   */
  readonly defaultBaseUrl: string | null
  readonly credential: CredentialFormat
  /**
   * Called when the configuration is read. Returns the violations in a route to this provider, as
   * sentences that begin with the name of the field.
   */
  findRouteViolations?(target: UpstreamTarget): string[]
  /**
   * Returns the reason why this upstream cannot serve the request. Null: it can. Called for each
   * submit of a client. Also called with each value of each parameter, to determine the values that
   * a model offers. `start` must send every parameter that `refuse` accepts, unless the model or an
   * input file already determines its value.
   */
  refuse(request: UpstreamRequest, target: UpstreamTarget): ParameterRefusal | null
  /**
   * Set if the upstream's watermark names the provider. The service then draws its own watermark
   * instead.
   */
  readonly watermarkNamesUpstream?: true
  /** Set if a route may replace the input mapping of its model (`RouteInput`). */
  readonly takesRouteInput?: true
  /** Set if the driver forwards requests for token models (`Driver.forward`). */
  readonly forwards?: true
  /**
   * Set if the driver serves text models. Otherwise their requests are refused without a call of
   * `refuse`.
   */
  readonly makesTexts?: true
  /** Set if a route of a text model may have a system prompt. */
  readonly takesSystemPrompt?: true
  connect(target: ConnectedTarget, tools: UpstreamTools): Driver
  /**
   * Sends a free request that checks the base URL and the key. Throws an error whose message
   * describes the problem. It is a `ProbeError` if the upstream was reached, but does not support
   * the request or does not have the model.
   */
  probe?(target: ConnectedTarget, tools: UpstreamTools, signal: AbortSignal): Promise<void>
}

export interface CredentialFormat {
  isRequired: boolean
  /** Description of the format, which completes the message `api_key must be …`. */
  format: string
  /** Whether a credential has this format. Default: any non-empty string. */
  isValid?(credential: string): boolean
}

/**
 * One model at one upstream, as configured by a route. It is plain JSON, because it is stored in
 * snapshots of the route.
 */
export interface UpstreamTarget {
  /** Base URL without a trailing slash. */
  baseUrl: string
  /** The provider's name for the model, from `upstream_model`. */
  model: string
  /** The provider's fields by parameter, for the parameters that the operator maps. */
  parameters: Readonly<Record<string, string>>
  /** Fields that the operator adds to every submit. */
  extra: Readonly<Record<string, Json>>
  /** The workflow in API format. Null unless the driver is `comfyui`. */
  workflow: Json | null
  /**
   * Inputs of the workflow by parameter, such as `6.text`. Empty unless the driver is `comfyui`.
   */
  slots: Readonly<Record<string, string>>
  /**
   * Full input mapping of the model, which replaces the names and limits in the driver's tables.
   * Null or undefined if the driver's tables apply.
   */
  input?: RouteInput | null
  /** For text models: replaces the driver's system prompt. */
  systemPrompt?: string
}

export interface ConnectedTarget extends UpstreamTarget {
  /** Empty if the upstream needs no credential. Must not appear in messages or logs. */
  credential: string
}

/** A client's request, before its first attempt. */
export type UpstreamRequest = Pick<GenerationRequest, 'model' | 'object' | 'size' | 'parameters'> & {
  /** Measured properties of the request's files. Undefined if they are unknown. */
  inputs?: readonly ProbedInput[]
}

export interface ParameterRefusal {
  parameter: string
  /** Message for the client that says what to change. It does not name the upstream. */
  message: string
}

export interface UpstreamTools {
  call: CallUpstream
  download: DownloadFromUpstream
  stream: StreamFromUpstream
  fetchUntrusted: FetchUntrusted
  files: UpstreamFiles
  /** Storage for results from the response to a submit. */
  results: LocalResults
  clock: Clock
  /** Returns the callback URL of an attempt. Null if the upstream cannot reach this service. */
  callbackUrl(attemptId: string): string | null
  /** Reports changes that a driver receives over a connection of its own, such as a websocket. */
  operationChanged: OperationChanged
}
