import type { ErrorCode, FailureCode } from './errors.ts'

/**
 * The `simulate` field of a submit. It controls what happens to one task, so that a client can be
 * tested with every outcome. A server in production mode rejects the field. The schema is a plain
 * object instead of a TypeBox schema, because every start of the service loads it.
 */
export interface Simulation {
  refuse_with?: SimulatedRefusal
  lose_answer?: boolean
  queued_seconds?: number
  seconds?: number
  outcome?: SimulatedOutcome
  deadline_seconds?: number
  result_url_seconds?: number
  retention_seconds?: number
  download_bytes_per_second?: number
  download_breaks_after_bytes?: number
}

/** With `stuck`, the task runs until its deadline. */
export const simulatedOutcomes = [
  'completed',
  'content_policy',
  'invalid_input',
  'upstream_failed',
  'upstream_timeout',
  'lost_upstream',
  'stuck',
] as const satisfies ('completed' | 'stuck' | FailureCode)[]
export type SimulatedOutcome = (typeof simulatedOutcomes)[number]

/** Errors that `refuse_with` can return for an otherwise valid submit. */
export const simulatedRefusals = [
  'reference_unreachable',
  'invalid_api_key',
  'insufficient_credits',
  'spending_limit_reached',
  'max_amount_exceeded',
  'brand_model_missing',
  'account_suspended',
  'idempotency_key_reused',
  'rate_limited',
  'too_many_tasks_in_flight',
  'internal_error',
  'overloaded',
  'no_route',
] as const satisfies ErrorCode[]
export type SimulatedRefusal = (typeof simulatedRefusals)[number]

const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds
const bytesMax = 1_000_000_000

const properties = {
  refuse_with: {
    type: 'string',
    enum: simulatedRefusals,
    description: 'The submit fails with this error, and no task is created.',
  },
  lose_answer: {
    type: 'boolean',
    description:
      'The task is accepted, but the connection is closed before the response. A retry with the same Idempotency-Key gets a ' +
      'response.',
  },
  queued_seconds: { type: 'integer', minimum: 0, maximum: hourSeconds, description: 'Time for which the task stays queued.' },
  seconds: {
    type: 'integer',
    minimum: 0,
    maximum: hourSeconds,
    description: 'Minimum processing time. A completed task may take longer, because its result is rendered.',
  },
  outcome: {
    type: 'string',
    enum: simulatedOutcomes,
    description: 'Outcome: completed, failed with this error_code, or stuck until its deadline.',
  },
  deadline_seconds: {
    type: 'integer',
    minimum: 1,
    maximum: hourSeconds,
    description: 'Maximum processing time before the task fails with upstream_timeout. Overrides the limit of the model.',
  },
  result_url_seconds: {
    type: 'integer',
    minimum: 0,
    maximum: daySeconds,
    description: 'Validity of each result_url. 0: the link has already expired when it is returned.',
  },
  retention_seconds: {
    type: 'integer',
    minimum: 0,
    maximum: daySeconds,
    description: 'Retention of the result. Afterwards, the task shows result_expired.',
  },
  download_bytes_per_second: { type: 'integer', minimum: 1, maximum: bytesMax, description: 'Transfer rate of the download.' },
  download_breaks_after_bytes: {
    type: 'integer',
    minimum: 1,
    maximum: bytesMax,
    description: 'The connection is closed after this many bytes of each download. A Range request can resume from there.',
  },
} as const satisfies Record<keyof Simulation, object>

export const simulationSchema = {
  type: 'object',
  description: 'Simulates behavior of this task, to test a client. Rejected in production mode.',
  properties,
  additionalProperties: false,
} as const
