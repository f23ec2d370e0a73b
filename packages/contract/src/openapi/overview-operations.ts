import { operatorWebhookBody } from '../admin-webhook-requests.ts'
import { operatorWebhookListParameters } from '../parameters.ts'
import { body, bodyParameters, common } from './admin-body.ts'
import { reference, type Parameter, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const webhook: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of a webhook.',
  schema: { type: 'string' },
}

export const overviewBodies: Record<string, Schema> = { OperatorWebhookChange: bodyParameters(operatorWebhookBody) }

export const overviewOperations: Paths = {
  '/admin/v1/overview': {
    get: operation({
      ...common,
      id: 'getOverview',
      summary: 'Show the state of the installation',
      description:
        'Returns the tasks in the queue and in progress, processing times by model, failing webhooks, and the last ledger ' +
        'check of the process that sends the response. The data is at most five seconds old.',
      responses: {
        200: jsonResponse({ description: 'The state.', schema: reference('schemas', 'Overview'), examples: {} }),
      },
    }),
  },
  '/admin/v1/webhooks': {
    get: operation({
      ...common,
      id: 'listAllWebhooks',
      summary: 'List the webhooks of all accounts',
      description: 'Lists the addresses of all accounts that receive events, oldest first, in pages, without their secrets.',
      parameters: queryParameters(operatorWebhookListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of addresses.',
          schema: reference('schemas', 'OperatorWebhookList'),
          examples: {},
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/admin/v1/webhooks/{id}': {
    patch: operation({
      ...common,
      id: 'enableWebhook',
      summary: 'Suspend or resume a webhook',
      description:
        'Stops deliveries to a webhook of an account, for example while its receiver is broken, or resumes them. The account ' +
        'cannot enable a suspended webhook. Addresses of the kind `task` cannot be changed.',
      parameters: [webhook],
      body: body('OperatorWebhookChange', { enabled: false }),
      responses: {
        200: jsonResponse({
          description: 'The webhook after the change.',
          schema: reference('schemas', 'OperatorWebhook'),
          examples: {},
        }),
      },
      errors: ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
}
