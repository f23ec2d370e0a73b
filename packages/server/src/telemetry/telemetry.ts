import type { TaskRecord } from '../db/store.ts'

/** What the parts of the service tell of their work, for metrics and traces. Telling neither throws nor waits. */
export interface Telemetry {
  readonly requestAnswered: (request: AnsweredRequest) => void
  /** `request`: the submit that it came by. */
  readonly taskAccepted: (task: TaskRecord, request: SubmitRequest) => void
  /** It has ended by this process. */
  readonly taskEnded: (task: TaskRecord) => void
  /** An attempt upstream has ended by this process, or its cost was found out after its end. */
  readonly attemptPaid: (attempt: PaidAttempt) => void
  readonly stepTaken: (step: StepTaken) => void
  /** An exchange with an upstream, as the current work (`lib/current-work.ts`) needed it. */
  readonly upstreamAnswered: (exchange: UpstreamExchange) => void
}

export interface AnsweredRequest {
  method: string
  /** As it is routed, with names for its variable parts; null where there is no route. */
  route: string | null
  status: number
  elapsedMs: number
  /** The client had asked to wait: how long it took says nothing. */
  wasHeld: boolean
}

export interface SubmitRequest {
  requestId: string
  /** W3C Trace Context, as the client has sent it. */
  traceparent: string | undefined
  elapsedMs: number
}

export interface PaidAttempt {
  model: string
  route: string
  /** What the operator pays for it; null: not known. */
  microCredits: number | null
}

/**
 * `start`: the route is asked, until it has taken the attempt on or not. `generate`: from then until it has a result. `collect`: the file is
 * brought home. `finish`: the commit that ends the task.
 */
export type StepName = 'start' | 'generate' | 'collect' | 'finish'

export interface StepTaken {
  step: StepName
  taskId: string
  attemptId: string
  route: string
  startedAtMs: number
  endedAtMs: number
  /** Null when it came to its end. */
  fault: string | null
}

export interface UpstreamExchange {
  method: string
  /** Without the query, which may hold a key. */
  url: string
  startedAtMs: number
  endedAtMs: number
  /** Null when no answer came. */
  status: number | null
}

export const noTelemetry: Telemetry = {
  requestAnswered: () => {},
  taskAccepted: () => {},
  taskEnded: () => {},
  attemptPaid: () => {},
  stepTaken: () => {},
  upstreamAnswered: () => {},
}

/** Requests are only counted: they are too many for anything else. */
export function joinTelemetry(metrics: Telemetry, traces: Telemetry): Telemetry {
  return {
    requestAnswered: metrics.requestAnswered,
    taskAccepted(task, request) {
      metrics.taskAccepted(task, request)
      traces.taskAccepted(task, request)
    },
    taskEnded(task) {
      metrics.taskEnded(task)
      traces.taskEnded(task)
    },
    attemptPaid: metrics.attemptPaid,
    stepTaken(step) {
      metrics.stepTaken(step)
      traces.stepTaken(step)
    },
    upstreamAnswered(exchange) {
      metrics.upstreamAnswered(exchange)
      traces.upstreamAnswered(exchange)
    },
  }
}
