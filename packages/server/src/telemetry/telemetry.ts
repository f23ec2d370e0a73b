import type { TaskRecord } from '../db/task-queries.ts'
import type { UpstreamExchange } from '../drivers/upstream/upstream-exchange.ts'

/**
 * Events that the parts of the service report, for metrics and traces. Reporting neither throws nor
 * waits.
 */
export interface Telemetry {
  readonly requestCompleted: (request: CompletedRequest) => void
  /** `request` is the submit of the task. */
  readonly taskAccepted: (task: TaskRecord, request: SubmitRequest) => void
  /** A task was ended by this process. */
  readonly taskEnded: (task: TaskRecord) => void
  /** An attempt upstream was ended by this process, or its cost became known after its end. */
  readonly attemptPaid: (attempt: PaidAttempt) => void
  readonly stageEnded: (stage: StageEnded) => void
  /** An exchange with an upstream, for the current work (`identity/current-work.ts`). */
  readonly upstreamResponded: (exchange: UpstreamExchange) => void
}

export interface CompletedRequest {
  method: string
  /** The route's pattern, with names for its parameters; null when no route matched. */
  route: string | null
  status: number
  elapsedMs: number
  /** Whether the client asked to wait. The duration then says nothing about the service. */
  wasHeld: boolean
}

export interface SubmitRequest {
  requestId: string
  /** W3C Trace Context, as the client sent it. */
  traceparent: string | undefined
  elapsedMs: number
}

export interface PaidAttempt {
  model: string
  route: string
  /** The operator's cost; null if unknown. */
  microCredits: number | null
}

/**
 * Stages of an attempt. `start` ends when the route accepts or refuses the attempt. `generate`
 * continues until there is a result. `collect` downloads the files. `finish` is the commit that
 * ends the task.
 */
export type StageName = 'start' | 'generate' | 'collect' | 'finish'

export interface StageEnded {
  stage: StageName
  taskId: string
  attemptId: string
  route: string
  startedAtMs: number
  endedAtMs: number
  /** Null for a stage that succeeded. */
  error: string | null
}

export const noTelemetry: Telemetry = {
  requestCompleted: () => {},
  taskAccepted: () => {},
  taskEnded: () => {},
  attemptPaid: () => {},
  stageEnded: () => {},
  upstreamResponded: () => {},
}

/** Requests go only to the metrics: there are too many of them for traces. */
export function joinTelemetry(metrics: Telemetry, traces: Telemetry): Telemetry {
  return {
    requestCompleted: metrics.requestCompleted,
    taskAccepted(task, request) {
      metrics.taskAccepted(task, request)
      traces.taskAccepted(task, request)
    },
    taskEnded(task) {
      metrics.taskEnded(task)
      traces.taskEnded(task)
    },
    attemptPaid: metrics.attemptPaid,
    stageEnded(stage) {
      metrics.stageEnded(stage)
      traces.stageEnded(stage)
    },
    upstreamResponded(exchange) {
      metrics.upstreamResponded(exchange)
      traces.upstreamResponded(exchange)
    },
  }
}
