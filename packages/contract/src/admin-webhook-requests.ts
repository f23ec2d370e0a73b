import type { RequestBodySchema } from './request-body.ts'

export interface OperatorWebhookBody {
  enabled: boolean
}

export const operatorWebhookBody: RequestBodySchema<OperatorWebhookBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['enabled'],
  properties: {
    enabled: {
      type: 'boolean',
      means: 'true or false',
      description:
        'False: no events are sent, and the account cannot enable the webhook. True: deliveries resume, and the failure ' +
        'count is reset.',
    },
  },
}
