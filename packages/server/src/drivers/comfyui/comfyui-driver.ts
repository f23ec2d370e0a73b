import type { Driver } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import { textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { createProgressSocket } from './progress-socket.ts'
import { readOutcome } from './read-outcome.ts'
import { cancelJob, get, lookUp, type ComfyuiServer } from './server.ts'
import { promptIdOf, refuseUnmapped, start } from './start.ts'
import { workflowViolations } from './workflow.ts'

/**
 * A ComfyUI server of the operator. It runs a workflow with the client's values in its slots
 * (docs/upstreams/comfyui.md). The service assigns job ids, so it can look up a job whose submit
 * received no response.
 */
export const comfyuiDriver: UpstreamDriver = {
  name: 'comfyui',
  defaultBaseUrl: null,
  credential: {
    isRequired: false,
    format:
      'the Authorization value for a proxy in front of the server, such as Bearer abc; a single word is sent as a Bearer ' +
      'token',
    isValid: (credential) => /^([A-Za-z]+ )?[\x21-\x7e]+$/.test(credential),
  },
  findRouteViolations: workflowViolations,
  refuse: refuseUnmapped,
  connect,
  async probe(target, tools, signal) {
    const response = await get(serverOf(target, tools), '/api/system_stats', signal)
    if (response.status !== 200) throw probeErrorOf(response, `GET /api/system_stats returned HTTP ${response.status}`)
  },
}

function connect(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const server = serverOf(target, tools)
  const progressSocket = createProgressSocket(server)
  const hasSeed = 'seed' in target.slots
  return {
    name: 'comfyui',
    isStartIdempotent: false,
    async start(request, context) {
      const id = promptIdOf(request.attemptId)
      progressSocket.follow(id, request.attemptId)
      try {
        return await start(server, request, progressSocket.clientId, context)
      } catch (error) {
        progressSocket.drop(id)
        throw error
      }
    },
    async poll(operation, request, signal) {
      const id = textIn(operation['id'])
      const outcome = readOutcome(await lookUp(server, id, signal), request, progressSocket.progressOf(id), hasSeed)
      if (outcome.state === 'succeeded' || outcome.state === 'failed') progressSocket.drop(id)
      return outcome
    },
    async find({ attemptId }, signal) {
      const id = promptIdOf(attemptId)
      return (await lookUp(server, id, signal)) === null ? null : { id }
    },
    fetchOutput: ({ location }, signal) =>
      fetchResult(location, { baseUrl: target.baseUrl, headers: server.headers }, tools, signal),
    async cancel(operation) {
      const id = textIn(operation['id'])
      progressSocket.drop(id)
      await cancelJob(server, id).catch(() => {})
    },
    async [Symbol.asyncDispose]() {
      progressSocket.close()
    },
  }
}

function serverOf(target: ConnectedTarget, tools: UpstreamTools): ComfyuiServer {
  const { credential } = target
  if (credential === '') return { target, tools, headers: {} }
  return { target, tools, headers: { authorization: credential.includes(' ') ? credential : `Bearer ${credential}` } }
}
