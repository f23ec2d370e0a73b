import type { TaskRecord } from '../db/task-queries.ts'
import type { UpstreamExchange } from '../drivers/upstream/upstream-exchange.ts'

/** Receives the events from which metrics and traces are produced. No method throws or waits. */
export interface Telemetry {
  readonly requestCompleted: (request: CompletedRequest) => void
  /** A task was accepted. `request` is its submit. */
  readonly taskAccepted: (task: TaskRecord, request: SubmitRequest) => void
  /** This process has ended a task. */
  readonly taskEnded: (task: TaskRecord) => void
  /** This process has ended an upstream attempt, or the cost of an ended attempt became known. */
  readonly attemptPaid: (attempt: PaidAttempt) => void
  readonly stageEnded: (stage: StageEnded) => void
  /**
   * A request to an upstream has completed, on behalf of the current attempt
   * (`identity/current-work.ts`).
   */
  readonly upstreamResponded: (exchange: UpstreamExchange) => void
}

export interface CompletedRequest {
  method: string
  /** The route's pattern, such as `/tasks/:id`. Null: no route matched. */
  route: string | null
  status: number
  elapsedMs: number
  /**
   * Whether the response is an event stream, or the client requested a wait. The duration then does
   * not measure the service's speed.
   */
  wasDelayedOnRequest: boolean
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
  /** The operator's cost. Null: unknown. */
  microCredits: number | null
}

/**
 * Stages of an attempt. `start` ends when the route accepts or rejects the attempt, and `generate`
 * when there is a result. `collect` downloads the files. `finish` is the commit that ends the task.
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

/**
 * Combines metrics and traces. Completed requests are not traced, because there are too many of
 * them.
 */
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
