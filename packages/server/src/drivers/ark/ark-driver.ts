import type { Driver, Operation } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { localFileOf } from '../upstream/local-results.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import { textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { connectionTo, type ArkConnection } from './connection.ts'
import { findVideo } from './find-video.ts'
import { pollImage, refuseImage, startImage } from './images.ts'
import { readTask, taskReader } from './read-task.ts'
import { refuseVideo } from './refuse-video.ts'
import { outcomeOf, startVideo, tasksPath } from './videos.ts'
import { localResultCountOf } from '../upstream/succeeded-with.ts'

/**
 * ByteDance ModelArk. Seedance videos are tasks. Tasks can be listed, and can be cancelled while
 * they are queued. Seedream images are returned in the response to the submit.
 */
export const arkDriver: UpstreamDriver = {
  name: 'ark',
  defaultBaseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  credential: { isRequired: true, format: 'an API key of ModelArk' },
  refuse: (request, target) => (request.object === 'video' ? refuseVideo(request, target) : refuseImage(request, target)),
  connect: connectArk,
  async probe(target, tools, signal) {
    const { headers } = connectionTo(target, tools)
    const url = `${target.baseUrl}${tasksPath}?page_num=1&page_size=1`
    const response = await tools.call({ method: 'GET', url, headers, signal })
    if (response.status !== 200) throw probeErrorOf(response, `the task list returned HTTP ${response.status}`)
  },
}

function connectArk(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = connectionTo(target, tools)
  const readVideo = taskReader(connection)
  return {
    name: 'ark',
    isStartIdempotent: false,
    start: (request, context) =>
      request.object === 'video' ? startVideo(connection, request, context) : startImage(connection, request, context),
    poll: async (operation, request, signal) =>
      request.object === 'video' ? outcomeOf(await readVideo(textIn(operation['id']), signal), request) : pollImage(operation),
    outputFile: (output) => localFileOf(output, tools.results),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers: {} }, tools, signal),
    async find(request, signal) {
      if (request.object === 'image') throw new Error('an image whose submit got no response cannot be found')
      return findVideo(connection, request, signal)
    },
    cancel: (operation, request) => (request.object === 'video' ? cancelVideo(connection, operation) : Promise.resolve()),
    discard: (operation, { attemptId }) => tools.results.remove(attemptId, localResultCountOf(operation)),
    verifyCallback: () => Promise.resolve({ trust: 'unsigned' }),
    async [Symbol.asyncDispose]() {},
  }
}

const cancelTimeoutMs = 20_000

/**
 * Cancels only a queued task. For an ended task, the same request would delete the upstream's
 * record of it.
 */
async function cancelVideo(connection: ArkConnection, operation: Operation): Promise<void> {
  const { target, tools, headers } = connection
  const signal = AbortSignal.timeout(cancelTimeoutMs)
  try {
    const task = await readTask(connection, textIn(operation['id']), signal)
    if (task['status'] !== 'queued') return
    const url = `${target.baseUrl}${tasksPath}/${encodeURIComponent(textIn(operation['id']))}`
    await tools.call({ method: 'DELETE', url, headers, signal })
  } catch {
    // Errors are ignored. The task then runs to its end.
  }
}
