import type { Driver, GenerationRequest } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { localFileOf } from '../upstream/local-results.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { forward } from './forward.ts'
import { pollVideo, refuseVideo, startVideo } from './videos.ts'
import { pollText, startText } from './texts.ts'
import { pollImage, refuseImage, startImage } from './images.ts'
import { localResultCountOf } from '../upstream/succeeded-with.ts'

/**
 * The Videos, Images and Chat Completions APIs of OpenAI, which many gateways offer with their own
 * model names (docs/upstreams/openai.md). Videos are jobs. Images and texts are returned in the
 * response to the submit. Requests for token models are forwarded. The APIs have neither
 * idempotency keys nor cancellation.
 */
export const openaiDriver: UpstreamDriver = {
  name: 'openai',
  defaultBaseUrl: 'https://api.openai.com/v1',
  credential: { isRequired: true, format: 'the API key of the provider' },
  takesRouteInput: true,
  forwards: true,
  makesTexts: true,
  takesSystemPrompt: true,
  refuse(request, target) {
    if (request.object === 'text') return null
    return request.object === 'video' ? refuseVideo(request, target) : refuseImage(request, target)
  },
  connect: connectOpenai,
  async probe(target, { call }, signal) {
    const response = await call({ method: 'GET', url: `${target.baseUrl}/models`, headers: keyHeaders(target), signal })
    if (response.status !== 200) throw probeErrorOf(response, `GET /models returned HTTP ${response.status}`)
  },
}

const startByObject = { video: startVideo, image: startImage, text: startText } as const

function connectOpenai(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const headers = keyHeaders(target)
  const connection = { target, tools, headers }
  return {
    name: 'openai',
    isStartIdempotent: false,
    start: (request, context) => startByObject[request.object](connection, request, context),
    async poll(operation, request, signal) {
      if (request.object === 'video') return pollVideo(connection, operation, signal)
      return request.object === 'text' ? pollText(operation) : pollImage(operation)
    },
    outputFile: (output) => localFileOf(output, tools.results),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers }, tools, signal),
    forward: (request) => forward(connection, request),
    discard: (operation, { attemptId }: GenerationRequest) => tools.results.remove(attemptId, localResultCountOf(operation)),
    async [Symbol.asyncDispose]() {},
  }
}

function keyHeaders({ credential }: ConnectedTarget): Record<string, string> {
  return { authorization: `Bearer ${credential}` }
}
