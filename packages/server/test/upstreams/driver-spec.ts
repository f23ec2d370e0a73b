import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FailureCode } from '@framegate/contract'
import type { Driver, GenerationRequest, PollOutcome, RefusalScope } from '../../src/drivers/driver.ts'
import type { GenerationParameters } from '../../src/catalogue/generation-parameters.ts'
import { UpstreamConnections } from '../../src/drivers/upstream/call-upstream.ts'
import { openLocalResults } from '../../src/drivers/upstream/local-results.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../../src/drivers/upstream/upstream-driver.ts'
import { createUpstreamFiles } from '../../src/drivers/upstream/upstream-files.ts'
import { decodeInProcess } from '../decode-in-process.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createTaskIds } from '../../src/identity/task-id.ts'
import { createFetchUntrusted } from '../../src/lib/guarded-fetch/fetch-untrusted.ts'
import { Simulator, type Protocol, type SimulatedResponse, type SimulatedRequest } from './simulator.ts'

/** An image of one pixel. */
export const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A driver under test, with the HTTP client, image decoder and result store of the service. */
export interface ConnectedDriver extends AsyncDisposable {
  driver: Driver
  target: ConnectedTarget
  tools: UpstreamTools
  /** Attempts for which the driver has reported changes, in order. */
  changed: string[]
}

const rejectForwarding: UpstreamTools['stream'] = () => Promise.reject(new Error('drivers forward nothing here'))

export function connectDriver(
  upstreamDriver: UpstreamDriver,
  target: Pick<ConnectedTarget, 'baseUrl'> & Partial<ConnectedTarget>,
): ConnectedDriver {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-driver-'))
  const connections = new UpstreamConnections()
  const changed: string[] = []
  const fetchUntrusted = createFetchUntrusted({ allowHosts: ['127.0.0.1'] })
  const tools: UpstreamTools = {
    call: connections.call,
    download: connections.download,
    stream: rejectForwarding,
    fetchUntrusted,
    files: createUpstreamFiles({ fetchUntrusted, decodeImageFile: decodeInProcess }),
    results: openLocalResults(folder),
    clock: systemClock,
    callbackUrl: (attemptId) => `https://gate.example/callbacks/route/${attemptId}/token`,
    operationChanged: (attemptId) => changed.push(attemptId),
  }
  const connected: ConnectedTarget = {
    model: 'a-model',
    credential: '',
    parameters: {},
    extra: {},
    workflow: null,
    slots: {},
    ...target,
  }
  const driver = upstreamDriver.connect(connected, tools)
  return {
    driver,
    target: connected,
    tools,
    changed,
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]()
      await connections[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface SimulatedUpstream extends ConnectedDriver {
  simulator: Simulator
}

/** Opens a driver with its own simulator, for tests of driver-specific features. */
export async function openUpstream(
  upstreamDriver: UpstreamDriver,
  protocol: Protocol,
  { basePath = '', ...target }: Partial<ConnectedTarget> & { basePath?: string },
): Promise<SimulatedUpstream> {
  const simulator = await Simulator.open(protocol)
  const connected = connectDriver(upstreamDriver, { baseUrl: simulator.origin + basePath, ...target })
  return {
    ...connected,
    simulator,
    async [Symbol.asyncDispose]() {
      await connected[Symbol.asyncDispose]()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

// Defaults as filled in by the catalogue.
const imageDefaults = { aspect_ratio: '1:1', resolution: '1K', watermark: false }
const videoDefaults = { aspect_ratio: '16:9', resolution: '720p', seconds: 5, watermark: false, audio: false }
const nextTaskId = createTaskIds(systemClock)

export function requestOf(parameters: GenerationParameters, request: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    attemptId: `${nextTaskId()}_1`,
    model: 'a public model',
    object: 'video',
    size: { width: 1280, height: 720 },
    parameters: { ...(request.object === 'image' ? imageDefaults : videoDefaults), ...parameters },
    simulate: null,
    ...request,
  }
}

export interface RequestSpec {
  title: string
  parameters: GenerationParameters
  request?: Partial<GenerationRequest>
  target?: Partial<ConnectedTarget>
  /** Asserts the contents of the request to the upstream. */
  expect(submit: SimulatedRequest): void | Promise<void>
}

/** Describes an upstream to the suite that tests its driver. */
export interface DriverSpec {
  driver: UpstreamDriver
  protocol: Protocol
  /** Path of the base URL on the simulator. Default: empty. */
  basePath?: string
  /** A credential that the simulator accepts. */
  credential: string
  target?: Partial<ConnectedTarget>
  /** Requests to test: at least one for each capability of the upstream. */
  requests: RequestSpec[]
  /** Requests that the driver must refuse, each with the parameter that the refusal must name. */
  refusedRequests: {
    title: string
    parameters: GenerationParameters
    object?: 'image' | 'video'
    target?: Partial<ConnectedTarget>
    parameter: string
  }[]
  /** Each documented error response to a submit, with its expected classification. */
  submitErrors: { title: string; response: SimulatedResponse; means: SubmitMeaning }[]
  /**
   * Each documented response to a poll, or the responses to a poll of several requests. `again`:
   * the response is inconclusive, and the operation must be polled again.
   */
  pollResponses: { title: string; response: SimulatedResponse | SimulatedResponse[]; means: Partial<PollOutcome> | 'again' }[]
  /** A response with an undocumented status. */
  unknownStatus: SimulatedResponse
  /**
   * Whether the driver can find the job of a submit with a lost response. `by sending again`: a
   * repeated submit returns the first job.
   */
  findsLostJobs: boolean | 'by sending again'
  cancels: boolean
  /**
   * Set if the result is part of the poll response, so that there is no separate download that
   * could fail.
   */
  resultsComeInPolls?: boolean
}

/**
 * Classification of a failed submit. `unavailable` with its scope, `throttled` and `unsuitable`:
 * the job was certainly not started. `unknown`: it may have been. Otherwise a failure code: the
 * task fails, and no other route is tried.
 */
export type SubmitMeaning =
  | `${RefusalScope} unavailable`
  | 'unsuitable'
  | 'throttled'
  | { throttledForMs: number }
  | 'unknown'
  | FailureCode
