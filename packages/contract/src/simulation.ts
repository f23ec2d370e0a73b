import type { ErrorCode, FailureCode } from './errors.ts'

/**
 * The `simulate` field of a submit: scripts the course of one task, so that a client can be tested
 * against everything in the contract. A server in production mode refuses it. It is plain JSON
 * Schema because every start of the service needs it.
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

/** `stuck` runs until the deadline. */
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

/** Errors that can refuse an otherwise valid submit. */
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
    description: 'The submit is answered with this error, and nothing is made.',
  },
  lose_answer: {
    type: 'boolean',
    description:
      'The task is accepted and the connection breaks instead of an answer. The same Idempotency-Key once more is answered.',
  },
  queued_seconds: { type: 'integer', minimum: 0, maximum: hourSeconds, description: 'Stays queued for so long.' },
  seconds: {
    type: 'integer',
    minimum: 0,
    maximum: hourSeconds,
    description: 'Is processing for so long; a completed task for as long as its result takes to make, if that is longer.',
  },
  outcome: {
    type: 'string',
    enum: simulatedOutcomes,
    description: 'How it ends: completed, failed with this error_code, or stuck until its deadline.',
  },
  deadline_seconds: {
    type: 'integer',
    minimum: 1,
    maximum: hourSeconds,
    description: "How long processing may take before it fails with upstream_timeout, instead of the model's own limit.",
  },
  result_url_seconds: {
    type: 'integer',
    minimum: 0,
    maximum: daySeconds,
    description: 'Each result_url works for so long; with 0 it has expired when it is told.',
  },
  retention_seconds: {
    type: 'integer',
    minimum: 0,
    maximum: daySeconds,
    description: 'The result is kept for so long; after that the task says result_expired.',
  },
  download_bytes_per_second: { type: 'integer', minimum: 1, maximum: bytesMax, description: 'How fast the result is sent.' },
  download_breaks_after_bytes: {
    type: 'integer',
    minimum: 1,
    maximum: bytesMax,
    description: 'The connection breaks after so many bytes of each download; a Range request can go on from there.',
  },
} as const satisfies Record<keyof Simulation, object>

export const simulationSchema = {
  type: 'object',
  description: 'What is to happen to this task, to try a client against it. Refused in production mode.',
  properties,
  additionalProperties: false,
} as const
