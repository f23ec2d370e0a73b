import {
  resendFailedBody,
  webhookChangeBody,
  webhookCreateBody,
  webhookDeliveryListParameters,
  type DeletedWebhook,
  type IssuedWebhook,
  type ResentDeliveries,
  type WebhookSecret,
} from '@framegate/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AccountSecret } from '../../webhooks/account-secret.ts'
import { deliveryView, webhookView } from '../../webhooks/webhook-view.ts'
import { authorize, principalOf } from '../authorize.ts'
import { methodNotAllowed } from '../begin-request.ts'
import { readQueryParameters } from '../parameters/query-parameters.ts'
import { listOf } from '../responses/list-text.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { pageOf } from './admin/page-of.ts'
import { readBody } from './admin/read-body.ts'

interface WebhookRequest {
  Params: { id: string }
}

interface DeliveryRequest {
  Params: { id: string; delivery: string }
}

/** Adds the routes for webhooks, which receive an account's events. */
export function addWebhookRoutes(
  app: FastifyInstance,
  { config, keys, webhooks }: Pick<HttpDependencies, 'config' | 'keys' | 'webhooks'>,
): void {
  const url = `${config.basePath}/v2/webhooks`
  const onRequest = authorize(keys, 'webhooks:write')

  app.post(url, { onRequest }, async (request, reply) => {
    const { accountNo } = principalOf(request)
    const { webhook, secret } = await webhooks.create(accountNo, readBody(request, webhookCreateBody))
    reply.code(201).header('location', `${url}/${webhook.id}`)
    return send(reply, { ...webhookView(webhook), secret } satisfies IssuedWebhook)
  })

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest,
    async handler(request, reply) {
      const allWebhooks = await webhooks.list(principalOf(request).accountNo)
      return send(
        reply,
        pageOf(request.query, () => allWebhooks, webhookView),
      )
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: `${url}/secret`,
    onRequest,
    async handler(request, reply) {
      return send(reply, secretView(await webhooks.secrets.findOrCreate(principalOf(request).accountNo)))
    },
  })

  app.post(`${url}/secret/rotate`, { onRequest }, async (request, reply) =>
    send(reply, secretView(await webhooks.secrets.rotate(principalOf(request).accountNo))),
  )

  // Without this handler, the methods would act on a webhook with the id 'secret'.
  app.route({
    method: ['PATCH', 'DELETE'],
    url: `${url}/secret`,
    config: { isMethodGuard: true },
    handler(request) {
      throw methodNotAllowed(request.method, 'GET, HEAD, OPTIONS')
    },
  })

  app.route<WebhookRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest,
    async handler(request, reply) {
      return send(reply, webhookView(await webhooks.require(principalOf(request).accountNo, request.params.id)))
    },
  })

  app.patch<WebhookRequest>(`${url}/:id`, { onRequest }, async (request, reply) => {
    const change = readBody(request, webhookChangeBody)
    return send(reply, webhookView(await webhooks.change(principalOf(request).accountNo, request.params.id, change)))
  })

  app.delete<WebhookRequest>(`${url}/:id`, { onRequest }, async (request, reply) => {
    const { id } = await webhooks.delete(principalOf(request).accountNo, request.params.id)
    return send(reply, { id, object: 'webhook', deleted: true } satisfies DeletedWebhook)
  })

  app.post<WebhookRequest>(`${url}/:id/rotate-secret`, { onRequest }, async (request, reply) => {
    const { webhook, secret } = await webhooks.rotateSecret(principalOf(request).accountNo, request.params.id)
    return send(reply, { ...webhookView(webhook), secret } satisfies IssuedWebhook)
  })

  app.post<WebhookRequest>(`${url}/:id/test`, { onRequest }, async (request, reply) => {
    const delivery = await webhooks.deliveries.sendTest(principalOf(request).accountNo, request.params.id)
    return send(reply.code(202), deliveryView(delivery))
  })

  app.route<WebhookRequest>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id/deliveries`,
    onRequest,
    async handler(request, reply) {
      const { task, ...filters } = readQueryParameters(request.query, webhookDeliveryListParameters)
      const page = await webhooks.deliveries.list(principalOf(request).accountNo, request.params.id, { ...filters, taskId: task })
      return send(reply, listOf(page.deliveries.map(deliveryView), page.nextCursor))
    },
  })

  app.post<DeliveryRequest>(`${url}/:id/deliveries/:delivery/resend`, { onRequest }, async (request, reply) => {
    const { id, delivery } = request.params
    return send(reply.code(202), deliveryView(await webhooks.deliveries.resend(principalOf(request).accountNo, id, delivery)))
  })

  app.post<WebhookRequest>(`${url}/:id/resend-failed`, { onRequest }, async (request, reply) => {
    const { since } = readBody(request, resendFailedBody)
    const { resent, hasMore } = await webhooks.deliveries.resendFailed(
      principalOf(request).accountNo,
      request.params.id,
      since * 1000,
    )
    return send(reply.code(202), { object: 'resent_deliveries', resent, has_more: hasMore } satisfies ResentDeliveries)
  })
}

function secretView({ secret, previous }: AccountSecret): WebhookSecret {
  return {
    object: 'webhook_secret',
    secret,
    previous_until: previous === null ? null : Math.floor(previous.untilMs / 1000),
  }
}

function send(reply: FastifyReply, body: object): FastifyReply {
  return reply.header('content-type', jsonContentType).send(JSON.stringify(body))
}
