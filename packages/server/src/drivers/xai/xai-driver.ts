import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { localFileOf } from '../upstream/local-results.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { poll } from './poll.ts'
import { refuseXai } from './refuse.ts'
import { start } from './start.ts'
import { localResultCountOf } from '../upstream/succeeded-with.ts'

/**
 * xAI Grok Imagine: videos, and deferred images that are polled like videos. It has no idempotency
 * keys, task list, cancellation or callbacks, so a job whose submit got no response cannot be
 * found.
 */
export const xaiDriver: UpstreamDriver = {
  name: 'xai',
  defaultBaseUrl: 'https://api.x.ai/v1',
  credential: { isRequired: true, format: 'the API key of the provider' },
  refuse: refuseXai,
  connect: connectXai,
  async probe(target, { call }, signal) {
    const url = `${target.baseUrl}/video-generation-models`
    const response = await call({ method: 'GET', url, headers: keyHeaders(target), signal })
    if (response.status !== 200) throw probeErrorOf(response, `the model list returned HTTP ${response.status}`)
  },
}

function connectXai(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = { target, tools, headers: keyHeaders(target) }
  return {
    name: 'xai',
    isStartIdempotent: false,
    start: (request, context) => start(connection, request, context),
    poll: (operation, request, signal) => poll(connection, operation, request, signal),
    outputFile: (output) => localFileOf(output, tools.results),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers: {} }, tools, signal),
    discard: (operation, { attemptId }) => tools.results.remove(attemptId, localResultCountOf(operation)),
    async [Symbol.asyncDispose]() {},
  }
}

function keyHeaders({ credential }: ConnectedTarget): Record<string, string> {
  return { authorization: `Bearer ${credential}` }
}
