import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Driver, GenerationParameters, Job } from '../../src/drivers/driver.ts'
import { UpstreamConnections } from '../../src/drivers/upstream/call-upstream.ts'
import { openKeptResults } from '../../src/drivers/upstream/kept-results.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../../src/drivers/upstream/upstream-driver.ts'
import { createUpstreamPictures } from '../../src/drivers/upstream/upstream-pictures.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createTaskIds } from '../../src/identity/task-id.ts'
import { createFetchUntrusted } from '../../src/lib/guarded-fetch/fetch-untrusted.ts'
import { Simulator, type Protocol } from './simulator.ts'

/** An image of one pixel. */
export const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A driver that is connected to a simulator, with real components around it. */
export interface ConnectedDriver extends AsyncDisposable {
  driver: Driver
  target: ConnectedTarget
  tools: UpstreamTools
  /** Attempts that the driver was notified about, in order. */
  changed: string[]
}

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
    fetchUntrusted,
    pictures: createUpstreamPictures({ fetchUntrusted }),
    results: openKeptResults(folder),
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

/** Opens a driver with its own simulator, for its special features. */
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

// As filled in by the catalogue.
const imageDefaults = { aspect_ratio: '1:1', resolution: '1K', watermark: false }
const videoDefaults = { aspect_ratio: '16:9', resolution: '720p', seconds: 5, watermark: false, audio: false }
const nextTaskId = createTaskIds(systemClock)

export function jobOf(parameters: GenerationParameters, job: Partial<Job> = {}): Job {
  return {
    attemptId: `${nextTaskId()}_1`,
    model: 'a public model',
    object: 'video',
    size: { width: 1280, height: 720 },
    parameters: { ...(job.object === 'image' ? imageDefaults : videoDefaults), ...parameters },
    simulate: null,
    ...job,
  }
}
