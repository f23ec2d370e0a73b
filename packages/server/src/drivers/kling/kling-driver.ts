import type { Driver, GenerationRequest, Operation } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import { formatErrorDetail } from '../upstream/classify-error.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { isCredential } from './authorization.ts'
import { sendGet, isSuccess, readData, readError, submit } from './envelope.ts'
import { findFirstGenerationTask, findSecondGenerationTask } from './find-task.ts'
import { bodyOf, outcomeOfFirstGeneration, pathOf } from './first-generation.ts'
import { taskReader } from './read-tasks.ts'
import { refuseImage, refuseVideo } from './refuse.ts'
import { outcomeOfSecondGeneration, secondBodyOf, secondPathOf } from './second-generation.ts'
import { isSecondGeneration } from './video-models.ts'

/**
 * Kling, with both generations of its API. The name of a video model determines the generation;
 * images use the first. Jobs cannot be cancelled.
 */
export const klingDriver: UpstreamDriver = {
  name: 'kling',
  defaultBaseUrl: 'https://api-singapore.klingai.com',
  credential: { isRequired: true, format: 'an API key, or ACCESS_KEY:SECRET_KEY', isValid: isCredential },
  refuse: (request, target) => (request.object === 'video' ? refuseVideo(request, target) : refuseImage(request, target)),
  connect: connectKling,
  async probe(target, tools, signal) {
    const nowMs = tools.clock()
    const path = `/account/costs?start_time=${nowMs - dayMs}&end_time=${nowMs}`
    const response = await sendGet({ target, tools }, path, signal)
    if (!isSuccess(response)) throw probeErrorOf(response, formatErrorDetail(response.status, readError(response)))
  },
}

const dayMs = 24 * 3_600_000

function connectKling(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = { target, tools }
  const readTask = taskReader(connection)
  const usesSecondGeneration = (request: GenerationRequest): boolean =>
    request.object === 'video' && isSecondGeneration(target.model)

  return {
    name: 'kling',
    isStartIdempotent: false,
    async start(request, context) {
      if (usesSecondGeneration(request)) {
        const json = await secondBodyOf(connection, request, context.signal)
        return { path: '/tasks', id: await submit(connection, secondPathOf(connection, request), json, context) }
      }
      const path = pathOf(connection, request)
      return { path, id: await submit(connection, path, await bodyOf(connection, request, context.signal), context) }
    },
    async poll({ path, id }: Operation, request, signal) {
      if (path === '/tasks') {
        const task = await readTask(textIn(id), signal)
        if (task === undefined) throw new Error('the response to a poll does not contain the job')
        return outcomeOfSecondGeneration(task, request)
      }
      const task = objectIn(await readData(connection, `${textIn(path)}/${encodeURIComponent(textIn(id))}`, signal))
      if (textIn(task['task_status']) === '') throw new Error('the response to a poll has no status')
      return outcomeOfFirstGeneration(task, request)
    },
    find: (request, signal) =>
      usesSecondGeneration(request)
        ? findSecondGenerationTask(connection, request, signal)
        : findFirstGenerationTask(connection, pathOf(connection, request), request, signal),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers: {} }, tools, signal),
    verifyCallback: () => Promise.resolve({ trust: 'unsigned' }),
    async [Symbol.asyncDispose]() {},
  }
}
