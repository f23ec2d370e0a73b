import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { verifyCallback } from './verify-callback.ts'
import { refuseVidu } from './refuse.ts'
import { start } from './start.ts'
import { cancelTask, findTask, pollTask } from './tasks.ts'

/**
 * Vidu: one endpoint for each kind of video request and one for images, all of which create the
 * same kind of job. It has no idempotency keys, but each job carries the service's tag, so a job
 * whose submit got no response can be found in the list of jobs. Callbacks are signed with the API
 * key.
 */
export const viduDriver: UpstreamDriver = {
  name: 'vidu',
  defaultBaseUrl: 'https://api.vidu.com',
  credential: { isRequired: true, format: 'the API key of the provider' },
  refuse: refuseVidu,
  connect: connectVidu,
  async probe(target, { call }, signal) {
    const response = await call({ method: 'GET', url: `${target.baseUrl}/ent/v2/credits`, headers: keyHeaders(target), signal })
    if (response.status !== 200) throw probeErrorOf(response, `GET /ent/v2/credits returned HTTP ${response.status}`)
  },
}

function connectVidu(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = { target, tools, headers: keyHeaders(target) }
  return {
    name: 'vidu',
    isStartIdempotent: false,
    start: (request, context) => start(connection, request, context),
    poll: (operation, request, signal) => pollTask(connection, operation, request, signal),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers: {} }, tools, signal),
    find: (request, signal) => findTask(connection, request, signal),
    cancel: (operation) => cancelTask(connection, operation),
    verifyCallback: async (callback) => verifyCallback(callback, target.credential, tools.clock()),
    async [Symbol.asyncDispose]() {},
  }
}

/** The authorization scheme is `Token`. */
function keyHeaders({ credential }: ConnectedTarget): Record<string, string> {
  return { authorization: `Token ${credential}` }
}
