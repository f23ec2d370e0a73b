import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { acceptSocket, type SimulatedSocket } from './simulated-socket.ts'

/** Purpose of a request to an upstream, independent of the path. */
export type Stage = 'submit' | 'poll' | 'result' | 'cancel' | 'find' | 'upload' | 'probe'

/** A fault injected into a request. */
export type Fault =
  /** Sends this response. The request takes no effect. */
  | SimulatedResponse
  /** Breaks the connection before the request takes effect. */
  | 'reset_before'
  /** Breaks the connection after the request has taken effect. */
  | 'reset_after'
  /** Sends half of the normal response, and breaks the connection. */
  | 'truncated'
  /**
   * Sends no response until the simulator closes or the caller gives up. `before`: the request
   * takes no effect; `after`: it does.
   */
  | 'silence_before'
  | 'silence_after'
  /** Handles the request normally, so that the next fault applies to the next request. */
  | 'none'

export interface SimulatedResponse {
  status: number
  headers?: Record<string, string>
  /** Body to send as JSON. */
  json?: unknown
  /** Body to send unchanged. */
  bytes?: Buffer
}

export interface SimulatedRequest {
  method: string
  url: URL
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The parsed body; undefined if it is not JSON. */
  // `any` because a simulator reads the fields of its protocol.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface ReceivedRequest extends SimulatedRequest {
  stage: Stage | undefined
}

/** The API of one upstream, on top of the simulator's list of jobs. */
export interface Protocol {
  /** Path of its websocket endpoint. */
  socketPath?: string
  /** Returns the stage of a request. Undefined for an unknown path. */
  stageOf(request: SimulatedRequest): Stage | undefined
  respond(request: SimulatedRequest, stage: Stage, simulator: Simulator): SimulatedResponse | Promise<SimulatedResponse>
}

export interface SimulatedJob {
  id: string
  /** The submit that started the job. */
  request: SimulatedRequest
  /** Current state. Each poll advances it along `moves`; a test may set it too. */
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  moves: SimulatedJob['state'][]
  polls: number
}

/** Creates as many results as were requested. Default: one. */
export function createResults<T>(requestedCount: unknown, make: (index: number) => T): T[] {
  return Array.from({ length: typeof requestedCount === 'number' ? requestedCount : 1 }, (_, index) => make(index))
}

/** A simulated provider on loopback with one protocol. It records requests and injects faults. */
export class Simulator implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = []
  readonly jobs: SimulatedJob[] = []
  /**
   * States of a new job after its first poll, after its second, and so on. The last state remains.
   */
  moves: SimulatedJob['state'][] = ['queued', 'running', 'succeeded']
  /** Contents of a result file. */
  media: Buffer = Buffer.from('a video, as far as a driver can tell')
  /** Stages of requests whose connection closed before the complete response was sent, in order. */
  readonly abandoned: Stage[] = []
  /** Sends a callback to the service under test. Null: protocols send no callbacks. */
  callBack: ((address: string, body: unknown) => Promise<Response>) | null = null
  /** Opened websockets, in order. */
  readonly sockets: SimulatedSocket[] = []
  readonly #faults: { stage: Stage; fault: Fault }[] = []
  readonly #actions = new Map<Stage, () => Promise<unknown>>()
  readonly #server: Server
  readonly #protocol: Protocol

  private constructor(server: Server, protocol: Protocol) {
    this.#server = server
    this.#protocol = protocol
  }

  static async open(protocol: Protocol): Promise<Simulator> {
    const server = createServer()
    const simulator = new Simulator(server, protocol)
    server.on('request', (incoming, response) => void simulator.#serve(incoming, response))
    const { socketPath } = protocol
    if (socketPath !== undefined) {
      server.on('upgrade', (incoming: IncomingMessage, stream) => {
        if (incoming.url?.startsWith(socketPath)) simulator.sockets.push(acceptSocket(incoming, stream))
        else stream.destroy()
      })
    }
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return simulator
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /**
   * Injects a fault into the next request of this stage. Further calls apply to the requests after
   * that.
   */
  next(stage: Stage, fault: Fault): void {
    this.#faults.push({ stage, fault })
  }

  /** Runs a function once, between the next request of this stage and its response. */
  meanwhile(stage: Stage, action: () => Promise<unknown>): void {
    this.#actions.set(stage, action)
  }

  addJob(request: SimulatedRequest): SimulatedJob {
    const job: SimulatedJob = { id: `job-${this.jobs.length + 1}`, request, state: 'queued', moves: [...this.moves], polls: 0 }
    this.jobs.push(job)
    return job
  }

  /** Advances a job to its next state and returns it. Undefined: there is no such job. */
  polled(id: string | undefined): SimulatedJob | undefined {
    const job = this.jobs.find((candidate) => candidate.id === id)
    if (job === undefined) return undefined
    job.polls++
    job.state = job.moves.shift() ?? job.state
    return job
  }

  /** Returns the received requests of this stage, in order. */
  of(stage: Stage): ReceivedRequest[] {
    return this.requests.filter((request) => request.stage === stage)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.close()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, this.origin)
    const stage = this.#protocol.stageOf(request)
    this.requests.push({ ...request, stage })
    response.on('close', () => {
      if (stage !== undefined && !response.writableFinished) this.abandoned.push(stage)
    })
    const faultIndex = this.#faults.findIndex((planned) => planned.stage === stage)
    const fault = faultIndex === -1 ? undefined : this.#faults.splice(faultIndex, 1)[0]?.fault
    if (fault === 'silence_before') return
    if (fault === 'reset_before') incoming.socket.destroy()
    else if (typeof fault === 'object') {
      await this.#runMeanwhile(stage)
      send(response, fault)
    } else if (stage === undefined) send(response, { status: 404, json: { error: { message: 'no such path' } } })
    else {
      const simulated = await this.#protocol.respond(request, stage, this)
      await this.#runMeanwhile(stage)
      if (fault === 'silence_after') return
      if (fault === 'reset_after') incoming.socket.destroy()
      else if (fault === 'truncated') sendHalf(response, simulated)
      else send(response, simulated)
    }
  }

  async #runMeanwhile(stage: Stage | undefined): Promise<void> {
    if (stage === undefined) return
    const action = this.#actions.get(stage)
    this.#actions.delete(stage)
    await action?.()
  }
}

async function readRequest(incoming: IncomingMessage, origin: string): Promise<SimulatedRequest> {
  const body = await buffer(incoming)
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  let json: unknown
  try {
    json = JSON.parse(body.toString())
  } catch {
    json = undefined
  }
  return { method: incoming.method ?? '', url: new URL(incoming.url ?? '/', origin), headers, body, json }
}

function send(response: ServerResponse, simulated: SimulatedResponse): void {
  const { body, headers } = renderBody(simulated)
  response.writeHead(simulated.status, headers).end(body)
}

function sendHalf(response: ServerResponse, simulated: SimulatedResponse): void {
  const { body, headers } = renderBody(simulated)
  response.writeHead(simulated.status, headers)
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
}

function renderBody({ bytes, json, headers }: SimulatedResponse): { body: Buffer; headers: Record<string, string> } {
  const body = bytes ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
  const type = json === undefined ? 'application/octet-stream' : 'application/json'
  return { body, headers: { 'content-type': type, 'content-length': String(body.length), ...headers } }
}

/** Returns the fields and files of a multipart body, by name. */
export async function readForm({ headers, body }: SimulatedRequest): Promise<FormData> {
  return new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
}
