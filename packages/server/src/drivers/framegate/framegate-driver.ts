import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { probeErrorOf, ProbeError } from '../upstream/probe-error.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import type { FramegateConnection } from './connection.ts'
import { cancel, createPoll } from './poll.ts'
import { find, start } from './submit.ts'

/** Matches every API key of another installation, including any FRAMEGATE_BOOTSTRAP_KEY. */
const apiKeyPattern = /^[\x21-\x7e]{16,200}$/

/**
 * Another installation of Framegate, which this service calls as an ordinary client of the v2 API.
 */
export const framegateDriver: UpstreamDriver = {
  name: 'framegate',
  defaultBaseUrl: null,
  credential: {
    isRequired: true,
    format:
      'an API key of that installation with the scopes tasks:write and tasks:read: fg_live_…, or the 16 to 200 printable ' +
      'ASCII characters of its FRAMEGATE_BOOTSTRAP_KEY',
    isValid: (credential) => apiKeyPattern.test(credential),
  },
  // Both installations have the same parameters. The other one rejects parameters that its model
  // does not accept.
  refuse: () => null,
  watermarkNamesUpstream: true,
  makesTexts: true,
  connect,
  async probe(target, tools, signal) {
    const { headers } = connectionOf(target, tools)
    const url = `${target.baseUrl}/v2/model-center/models/${encodeURIComponent(target.model)}`
    const response = await tools.call({ method: 'GET', url, headers, signal })
    if (response.status === 404) throw new ProbeError('unknown_model', `there is no model ${target.model}`)
    if (response.status !== 200) throw probeErrorOf(response, `the model query returned HTTP ${response.status}`)
  },
}

function connect(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = connectionOf(target, tools)
  return {
    name: 'framegate',
    isStartIdempotent: false,
    start: (request, context) => start(connection, request, context),
    poll: createPoll(connection),
    find: (request, signal) => find(connection, request, signal),
    findsBySubmitting: true,
    fetchOutput: ({ location }, signal) =>
      fetchResult(location, { baseUrl: target.baseUrl, headers: connection.headers }, tools, signal),
    cancel: (operation) => cancel(connection, operation),
    async [Symbol.asyncDispose]() {},
  }
}

function connectionOf(target: ConnectedTarget, tools: UpstreamTools): FramegateConnection {
  return { target, tools, headers: { authorization: `Bearer ${target.credential}` } }
}
