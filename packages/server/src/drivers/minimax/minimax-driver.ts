import type { Callback, CallbackVerification, Driver, GenerationRequest, Operation } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import { formatErrorDetail } from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type {
  ConnectedTarget,
  UpstreamDriver,
  UpstreamRequest,
  UpstreamTarget,
  UpstreamTools,
} from '../upstream/upstream-driver.ts'
import { connectionTo } from './connection.ts'
import { cancelH3, h3TaskReader, isH3, outcomeOfH3, refuseH3, startH3 } from './h3.ts'
import { fetchHailuo, pollHailuo, refuseHailuo, startHailuo } from './hailuo.ts'
import { pollImage, refuseImage, startImage } from './images.ts'
import { readError } from './read-error.ts'

/**
 * MiniMax, with both generations of its API: the first for Hailuo and older models, the second for
 * H3. Images are returned in the response to the submit. Tasks have no client-defined id, so a task
 * whose submit got no response cannot be found.
 */
export const minimaxDriver: UpstreamDriver = {
  name: 'minimax',
  defaultBaseUrl: 'https://api.minimax.io',
  credential: { isRequired: true, format: 'an API key of MiniMax' },
  refuse(request: UpstreamRequest, target: UpstreamTarget) {
    if (request.object === 'image') return refuseImage(request, target)
    return isH3(target) ? refuseH3(request, target) : refuseHailuo(request, target)
  },
  connect: connectMinimax,
  async probe(target, tools, signal) {
    const { headers } = connectionTo(target, tools)
    const url = `${target.baseUrl}/v2/query/video_generation?page_num=1&page_size=1`
    const response = await tools.call({ method: 'GET', url, headers, signal })
    if (response.status !== 200 || response.json === undefined) {
      throw probeErrorOf(response, formatErrorDetail(response.status, readError(response.json)))
    }
  },
}

function connectMinimax(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = connectionTo(target, tools)
  const readH3 = h3TaskReader(connection)
  return {
    name: 'minimax',
    isStartIdempotent: false,
    start(request, context) {
      if (request.object === 'image') return startImage(connection, request, context)
      return isH3(target) ? startH3(connection, request, context) : startHailuo(connection, request, context)
    },
    async poll(operation, request, signal) {
      if (request.object === 'image') return pollImage(operation)
      return isH3(target) ? outcomeOfH3(await readH3(textIn(operation['id']), signal)) : pollHailuo(connection, operation, signal)
    },
    fetchOutput: (output, signal) =>
      'file' in objectIn(output.location)
        ? fetchHailuo(connection, output, signal)
        : fetchResult(output.location, { baseUrl: target.baseUrl, headers: {} }, tools, signal),
    ...(isH3(target) && {
      cancel: (operation: Operation, request: GenerationRequest) =>
        request.object === 'video' ? cancelH3(connection, operation) : Promise.resolve(),
    }),
    verifyCallback: (callback) => Promise.resolve(respondToChallenge(callback)),
    async [Symbol.asyncDispose]() {},
  }
}

/**
 * Responds to the challenge that the upstream sends to a callback URL before it accepts the URL.
 * The response must reach the upstream within three seconds.
 */
function respondToChallenge({ body }: Callback): CallbackVerification {
  const challenge = challengeIn(body)
  return { trust: 'unsigned', ...(challenge !== undefined && { reply: { challenge } }) }
}

function challengeIn(body: Buffer): string | undefined {
  try {
    const { challenge } = objectIn(JSON.parse(body.toString()))
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
