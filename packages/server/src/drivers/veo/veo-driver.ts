import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { localFileOf } from '../upstream/local-results.ts'
import { probeErrorOf, ProbeError } from '../upstream/probe-error.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTarget, UpstreamTools } from '../upstream/upstream-driver.ts'
import { objectIn } from '../upstream/read-json.ts'
import { isVertex, modelUrl, type VeoConnection } from './connection.ts'
import { authorizationOf, credentialFormat, isCredential } from './credential.ts'
import { pollVideo } from './poll.ts'
import { refuseVideo } from './refuse.ts'
import { startVideo } from './start.ts'

/**
 * Google Veo, as long-running operations. If the base URL names a project and a location, the
 * driver uses Vertex AI. Otherwise it uses the Gemini API, which gateways also offer. A job whose
 * submit got no response cannot be found, and jobs cannot be cancelled.
 */
export const veoDriver: UpstreamDriver = {
  name: 'veo',
  defaultBaseUrl: null,
  credential: { isRequired: true, format: credentialFormat, isValid: isCredential },
  findRouteViolations,
  refuse: refuseVideo,
  connect: connectVeo,
  probe,
}

/** Refuses a bucket for results, because the service could not read them from there. */
function findRouteViolations({ extra }: UpstreamTarget): string[] {
  const hasBucket = 'storageUri' in objectIn(extra['parameters'])
  return hasBucket ? ['extra.parameters.storageUri must be omitted, because results are part of the response'] : []
}

function connectVeo(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection: VeoConnection = { target, tools, headers: authorizationOf(target.credential, tools.clock) }
  return {
    name: 'veo',
    isStartIdempotent: false,
    start: (request, context) => startVideo(connection, request, context),
    poll: (operation, request, signal) => pollVideo(connection, operation, request, signal),
    outputFile: (output) => localFileOf(output, tools.results),
    fetchOutput: ({ location }, signal) =>
      fetchResult(location, { baseUrl: target.baseUrl, headers: connection.headers() }, tools, signal),
    discard: (_operation, request) => tools.results.remove(request.attemptId),
    async [Symbol.asyncDispose]() {},
  }
}

/**
 * On Vertex AI, the probe polls an operation that does not exist. The upstream checks permissions
 * first, so a missing permission shows in the error.
 */
async function probe(target: ConnectedTarget, { call, clock }: UpstreamTools, signal: AbortSignal): Promise<void> {
  const headers = authorizationOf(target.credential, clock)()
  if (!isVertex(target)) {
    const response = await call({ method: 'GET', url: modelUrl(target), headers, signal })
    if (response.status === 404) throw new ProbeError('unknown_model', 'the model query returned HTTP 404')
    if (response.status !== 200) throw probeErrorOf(response, `the model query returned HTTP ${response.status}`)
    return
  }
  const url = `${modelUrl(target)}:fetchPredictOperation`
  const json = { operationName: `${modelUrl(target).replace(/^.*\/(?=projects\/)/, '')}/operations/none` }
  const response = await call({ method: 'POST', url, headers, json, isRead: true, signal })
  if (response.status !== 400 && response.status !== 404 && response.status !== 200) {
    throw probeErrorOf(response, `the operation query returned HTTP ${response.status}`)
  }
}
