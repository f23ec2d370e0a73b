import { webhookDeliveryListParameters, webhookListParameters } from '../parameters.ts'
import { creditAlertBody, resendFailedBody, webhookChangeBody, webhookCreateBody } from '../webhook-requests.ts'
import { bodyParameters } from './admin-body.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'
import { webhookExampleIds, webhookExamples } from './webhook-examples.ts'

export const webhookBodies = {
  WebhookCreate: bodyParameters(webhookCreateBody),
  WebhookChange: bodyParameters(webhookChangeBody),
  ResendFailed: bodyParameters(resendFailedBody),
  CreditAlertChange: bodyParameters(creditAlertBody),
}

const common = { tag: 'Webhooks', source: 'an addition of Framegate.', key: 'webhooks:write' } as const

const webhookId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the webhook.',
  schema: { type: 'string' },
  example: webhookExampleIds.webhook,
}

const webhookIdOrTasks: Parameter = {
  ...webhookId,
  description: 'The `id` of the webhook, or `tasks` for events sent to the `webhook_url` of a task.',
}

const deliveryId: Parameter = {
  name: 'delivery',
  in: 'path',
  required: true,
  description: 'The `id` of the delivery.',
  schema: { type: 'string' },
  example: webhookExampleIds.delivery,
}

const shownSecret = (description: string) =>
  jsonResponse({ description, schema: reference('schemas', 'IssuedWebhook'), examples: {} })

export const webhookOperations: Paths = {
  '/v2/webhooks': {
    post: operation({
      ...common,
      id: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Creates a webhook. The service then sends events of the account to its address as POST requests, signed according to ' +
        'Standard Webhooks 1.0. The address must be public, start with https:// and have a host name that resolves. An account ' +
        'may have up to 20 webhooks. Only this response contains the secret.',
      body: { schema: reference('schemas', 'WebhookCreate'), examples: { webhook: webhookExamples.create } },
      responses: {
        201: jsonResponse({
          description: 'The webhook with its secret.',
          schema: reference('schemas', 'IssuedWebhook'),
          headers: ['Location'],
          examples: {},
        }),
      },
      errors: ['BadAdminBody', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
    get: operation({
      ...common,
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Lists the webhooks of the account, oldest first, without their secrets.',
      parameters: queryParameters(webhookListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of webhooks.',
          schema: reference('schemas', 'WebhookList'),
          examples: { page: webhookExamples.webhookList },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/v2/webhooks/secret': {
    get: operation({
      ...common,
      id: 'getWebhookSecret',
      summary: 'Show the secret for webhook_url',
      description:
        'Returns the secret that signs events sent to the `webhook_url` of tasks. The account has one such secret, which the ' +
        'first request creates.',
      responses: {
        200: jsonResponse({ description: 'The secret.', schema: reference('schemas', 'WebhookSecret'), examples: {} }),
      },
    }),
  },
  '/v2/webhooks/secret/rotate': {
    post: operation({
      ...common,
      id: 'rotateAccountWebhookSecret',
      summary: 'Replace the secret for webhook_url',
      description:
        'Replaces the secret. For 24 hours, events are signed with both the new and the previous secret, so the receiver can ' +
        'switch at any time in this period.',
      responses: {
        200: jsonResponse({ description: 'The new secret.', schema: reference('schemas', 'WebhookSecret'), examples: {} }),
      },
    }),
  },
  '/v2/credits/alert': {
    get: operation({
      ...common,
      id: 'getCreditAlert',
      summary: 'Show the threshold for credits.low',
      description: 'Returns the balance below which the event `credits.low` is sent.',
      responses: {
        200: jsonResponse({
          description: 'The threshold.',
          schema: reference('schemas', 'CreditAlert'),
          examples: { alert: webhookExamples.alert },
        }),
      },
    }),
    put: operation({
      ...common,
      id: 'setCreditAlert',
      summary: 'Set the threshold for credits.low',
      description:
        'Sets the threshold. The event `credits.low` is sent each time the balance falls below it. Webhooks and event ' +
        'streams receive it only if their list of event types includes it.',
      body: { schema: reference('schemas', 'CreditAlertChange'), examples: { alert: webhookExamples.setAlert } },
      responses: {
        200: jsonResponse({
          description: 'The new threshold.',
          schema: reference('schemas', 'CreditAlert'),
          examples: { alert: webhookExamples.alert },
        }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/v2/webhooks/{id}': {
    get: operation({
      ...common,
      id: 'getWebhook',
      summary: 'Show a webhook',
      description: 'Returns the webhook, without its secret.',
      parameters: [webhookId],
      responses: {
        200: jsonResponse({
          description: 'The webhook.',
          schema: reference('schemas', 'Webhook'),
          examples: { webhook: webhookExamples.webhook },
        }),
      },
      errors: ['WebhookNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeWebhook',
      summary: 'Change a webhook',
      description:
        'Omitted fields do not change. `"enabled": true` enables a disabled webhook again. Events that occurred while it was ' +
        'disabled are not sent later. Deliveries that failed earlier can be sent again. Only an operator can enable a webhook ' +
        'that an operator has suspended.',
      parameters: [webhookId],
      body: { schema: reference('schemas', 'WebhookChange'), examples: { limited: webhookExamples.change } },
      responses: {
        200: jsonResponse({
          description: 'The changed webhook.',
          schema: reference('schemas', 'Webhook'),
          examples: { limited: webhookExamples.limited },
        }),
      },
      errors: ['BadAdminBody', 'WebhookNotFound', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
    delete: operation({
      ...common,
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes the webhook and its deliveries. No further events are sent to it.',
      parameters: [webhookId],
      responses: {
        200: jsonResponse({
          description: 'Deleted.',
          schema: reference('schemas', 'DeletedWebhook'),
          examples: { deleted: webhookExamples.deleted },
        }),
      },
      errors: ['WebhookNotFound'],
    }),
  },
  '/v2/webhooks/{id}/rotate-secret': {
    post: operation({
      ...common,
      id: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description:
        'Replaces the secret. For 24 hours, events are signed with both the new and the previous secret, so the receiver can ' +
        'switch at any time in this period.',
      parameters: [webhookId],
      responses: { 200: shownSecret('The webhook with its new secret. Only this response contains the secret.') },
      errors: ['WebhookNotFound'],
    }),
  },
  '/v2/webhooks/{id}/test': {
    post: operation({
      ...common,
      id: 'testWebhook',
      summary: 'Send a test event',
      description:
        'Sends an event of the type `webhook.test`, whose data is the webhook. The event is signed and retried like any other.',
      parameters: [webhookId],
      responses: {
        202: jsonResponse({
          description: 'The delivery, before its first attempt.',
          schema: reference('schemas', 'WebhookDelivery'),
          examples: { test: webhookExamples.test },
        }),
      },
      errors: ['WebhookNotFound', 'Conflict'],
    }),
  },
  '/v2/webhooks/{id}/deliveries': {
    get: operation({
      ...common,
      id: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description:
        'Lists the deliveries to this webhook, newest first, each with its last attempt. By default, deliveries are kept for ' +
        '30 days.',
      parameters: [webhookIdOrTasks, ...queryParameters(webhookDeliveryListParameters)],
      responses: {
        200: jsonResponse({
          description: 'A page of deliveries.',
          schema: reference('schemas', 'WebhookDeliveryList'),
          examples: { page: webhookExamples.deliveryList },
        }),
      },
      errors: ['BadQuery', 'WebhookNotFound'],
    }),
  },
  '/v2/webhooks/{id}/deliveries/{delivery}/resend': {
    post: operation({
      ...common,
      id: 'resendWebhookDelivery',
      summary: 'Send an event again',
      description:
        'Sends the event now, regardless of the status of its delivery, and retries it like a new event. Its `webhook-id` does ' +
        'not change.',
      parameters: [webhookIdOrTasks, deliveryId],
      responses: {
        202: jsonResponse({
          description: 'The delivery, before its next attempt.',
          schema: reference('schemas', 'WebhookDelivery'),
          examples: { delivery: webhookExamples.delivery },
        }),
      },
      errors: ['DeliveryNotFound', 'Conflict'],
    }),
  },
  '/v2/webhooks/{id}/resend-failed': {
    post: operation({
      ...common,
      id: 'resendFailedWebhookDeliveries',
      summary: 'Send failed events again',
      description:
        'Resends the events that occurred at or after the given time and whose delivery has failed, at most 1,000 per ' +
        'request. Use it after a receiver was down for days.',
      parameters: [webhookId],
      body: { schema: reference('schemas', 'ResendFailed'), examples: { since: webhookExamples.resendFailed } },
      responses: {
        202: jsonResponse({
          description: 'The number of deliveries.',
          schema: reference('schemas', 'ResentDeliveries'),
          examples: { none: webhookExamples.resent },
        }),
      },
      errors: ['BadAdminBody', 'WebhookNotFound', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
}
