import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { refuseInput } from './endpoint-input.ts'
import { cancel, poll, probe, submit, type FalConnection } from './queue.ts'
import { createWebhookVerifier } from './webhook-signature.ts'

/**
 * fal's queue, which runs models from many makers, each with its own inputs
 * (docs/upstreams/fal.md). It has neither idempotency keys nor tags, so a job whose submit received
 * no response cannot be found.
 */
export function createFalDriver({ keysUrl }: { keysUrl: string }): UpstreamDriver {
  return {
    name: 'fal',
    defaultBaseUrl: 'https://queue.fal.run',
    credential: { isRequired: true, format: 'the API key of the provider, usually of the form KEY_ID:KEY_SECRET' },
    findRouteViolations: ({ model, extra }) => [
      ...(/^[\w-]+(\/[\w.-]+)+$/.test(model)
        ? []
        : ['upstream_model must be an endpoint such as owner/application/text-to-video']),
      ...(extra['sync_mode'] === true ? ['extra.sync_mode must be omitted, because results are fetched by their address'] : []),
    ],
    takesRouteInput: true,
    refuse: refuseInput,
    connect: (target, tools) => connect(connectionOf(target, tools), keysUrl),
    probe: (target, tools, signal) => probe(connectionOf(target, tools), signal),
  }
}

export const falDriver = createFalDriver({ keysUrl: 'https://rest.fal.ai/.well-known/jwks.json' })

function connectionOf(target: ConnectedTarget, tools: UpstreamTools): FalConnection {
  return { target, tools, headers: { authorization: `Key ${target.credential}` } }
}

function connect(connection: FalConnection, keysUrl: string): Driver {
  const { target, tools, headers } = connection
  return {
    name: 'fal',
    isStartIdempotent: false,
    start: (request, context) => submit(connection, request, context),
    poll: (operation, _request, signal) => poll(connection, operation, signal),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers }, tools, signal),
    cancel: (operation) => cancel(connection, operation),
    verifyCallback: createWebhookVerifier(keysUrl, tools.call, tools.clock),
    async [Symbol.asyncDispose]() {},
  }
}
