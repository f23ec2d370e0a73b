import type { RequestBodySchema } from './request-body.ts'

/**
 * Resolutions that an operator may record for an unresolved attempt, which is a try at a task that
 * needs a review, for example because the response to its submit was lost.
 */
export const attemptResolutions = [
  'was_not_started',
  'not_charged_upstream',
  'refunded_upstream',
  'charged_to_account',
  'accepted_loss',
] as const

export type AttemptResolution = (typeof attemptResolutions)[number]

/** Resolutions that the service itself may record for an unresolved attempt. */
export const serviceResolutions = ['never_started', 'ended_without_result'] as const

export type ServiceResolution = (typeof serviceResolutions)[number]

export interface AttemptResolveBody {
  resolution: AttemptResolution
  note?: string
}

export const attemptResolveBody: RequestBodySchema<AttemptResolveBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['resolution'],
  properties: {
    resolution: {
      type: 'string',
      enum: attemptResolutions,
      means: `one of ${attemptResolutions.join(', ')}`,
      description:
        '`was_not_started`: the upstream never accepted the job. `not_charged_upstream`: the upstream accepted the job and charges ' +
        'nothing. `refunded_upstream`: the upstream refunded the cost. `charged_to_account`: the client pays the cost through an ' +
        'adjustment. `accepted_loss`: the operator bears the cost.',
    },
    note: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      means: 'a text of 1 to 500 characters',
      description: "Note for the operator's own records.",
    },
  },
}
