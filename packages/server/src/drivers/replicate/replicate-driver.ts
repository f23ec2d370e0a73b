import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { localFileOf } from '../upstream/local-results.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { modelPattern } from './connection.ts'
import { inputOf, refuseInput } from './input.ts'
import { ModelInputs } from './model-inputs.ts'
import { cancelPrediction, findPrediction, pollPrediction, startPrediction } from './predictions.ts'
import { WebhookSecret } from './webhook-secret.ts'

/**
 * Replicate runs models as predictions. Each model has its own input fields. There are no
 * idempotency keys, but a prediction whose submit got no response can be found in the list of
 * predictions, by its webhook URL. Webhooks are signed. The upstream deletes results an hour after
 * the end of a prediction.
 */
export const replicateDriver: UpstreamDriver = {
  name: 'replicate',
  defaultBaseUrl: 'https://api.replicate.com/v1',
  credential: { isRequired: true, format: 'the API token of the provider' },
  findRouteViolations: ({ model }) =>
    modelPattern.test(model)
      ? []
      : ['upstream_model must be owner/model, owner/model:version, a version of 64 hex digits, or deployments/owner/name'],
  takesRouteInput: true,
  refuse: refuseInput,
  connect: connectReplicate,
  async probe(target, { call }, signal) {
    const response = await call({ method: 'GET', url: `${target.baseUrl}/account`, headers: keyHeaders(target), signal })
    if (response.status !== 200) throw probeErrorOf(response, `GET /account returned HTTP ${response.status}`)
  },
}

function connectReplicate(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const headers = keyHeaders(target)
  const connection = { target, tools, headers }
  const modelInputs = new ModelInputs(connection)
  const webhookSecret = new WebhookSecret(connection)
  return {
    name: 'replicate',
    isStartIdempotent: false,
    async start(request, context) {
      const input = await inputOf(connection, request, context.signal)
      await modelInputs.requireKnown(input, context.signal)
      return startPrediction(connection, request, input, context)
    },
    poll: (operation, request, signal) => pollPrediction(connection, operation, request, signal),
    outputFile: (output) => localFileOf(output, tools.results),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers }, tools, signal),
    find: (request, signal) => findPrediction(connection, request, signal),
    cancel: (operation) => cancelPrediction(connection, operation),
    discard: (_operation, request) => tools.results.remove(request.attemptId),
    verifyCallback: (callback) => webhookSecret.verify(callback),
    async [Symbol.asyncDispose]() {},
  }
}

function keyHeaders({ credential }: ConnectedTarget): Record<string, string> {
  return { authorization: `Bearer ${credential}` }
}
