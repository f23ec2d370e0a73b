import type { RequestBodySchema } from './request-body.ts'
import { name, inFlight, perMinute } from './admin-request-fields.ts'

export interface AccountCreateBody {
  name: string
  brand?: string
}

export interface AccountChangeBody {
  name?: string
  status?: 'active' | 'suspended' | 'closed'
  tasks_in_flight_max?: number | null
  credits_in_flight_max?: number | null
  requests_per_minute_max?: number | null
  tokens_per_minute_max?: number | null
  over_limit?: 'refuse' | 'wait'
}

export const accountCreateBody: RequestBodySchema<AccountCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: {
      ...name,
      description: 'Display name, unique within the brand. A request with an existing name returns that account.',
    },
    brand: {
      type: 'string',
      minLength: 1,
      means: 'the id of a brand',
      description: 'The id of the brand of the account. Default: the default brand.',
    },
  },
}

export const accountChangeBody: RequestBodySchema<AccountChangeBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    name,
    status: {
      type: 'string',
      enum: ['active', 'suspended', 'closed'],
      means: 'active, suspended or closed',
      description:
        "`suspended`: requests with the account's keys are rejected. `closed`: the account's keys are permanently invalid.",
    },
    ...inFlight,
    ...perMinute,
    over_limit: {
      type: 'string',
      enum: ['refuse', 'wait'],
      means: 'refuse or wait',
      description:
        'What happens to a task that would exceed `tasks_in_flight_max` or `credits_in_flight_max`. `refuse`: the submit is ' +
        'rejected with 429. `wait`: the task is accepted and waits.',
    },
  },
}
