import type { Driver, Operation } from '../driver.ts'
import { fetchResult } from '../upstream/fetch-result.ts'
import { probeErrorOf } from '../upstream/probe-error.ts'
import { textIn } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamTools } from '../upstream/upstream-driver.ts'
import { connectionTo, type DashscopeConnection } from './connection.ts'
import { refuseImage } from './images.ts'
import { pollTask, startTask } from './tasks.ts'
import { refuseVideo } from './videos.ts'

/**
 * Alibaba Cloud Model Studio: Wan and HappyHorse videos, Wan and Qwen images. Tasks have no
 * client-defined id, so a task whose submit received no response cannot be identified in the
 * account's list.
 */
export const dashscopeDriver: UpstreamDriver = {
  name: 'dashscope',
  defaultBaseUrl: 'https://dashscope-intl.aliyuncs.com/api/v1',
  credential: { isRequired: true, format: 'an API key of Model Studio' },
  refuse: (request, target) => (request.object === 'video' ? refuseVideo(request, target) : refuseImage(request, target)),
  connect: connectDashscope,
  async probe(target, tools, signal) {
    const { headers } = connectionTo(target, tools)
    const url = `${target.baseUrl}/tasks/?page_no=1&page_size=1`
    const response = await tools.call({ method: 'GET', url, headers, signal })
    if (response.status !== 200) throw probeErrorOf(response, `the task list returned HTTP ${response.status}`)
  },
}

function connectDashscope(target: ConnectedTarget, tools: UpstreamTools): Driver {
  const connection = connectionTo(target, tools)
  return {
    name: 'dashscope',
    isStartIdempotent: false,
    start: (request, context) => startTask(connection, request, context),
    poll: (operation, request, signal) => pollTask(connection, operation, request, signal),
    fetchOutput: ({ location }, signal) => fetchResult(location, { baseUrl: target.baseUrl, headers: {} }, tools, signal),
    cancel: (operation) => cancelTask(connection, operation),
    async [Symbol.asyncDispose]() {},
  }
}

const cancelTimeoutMs = 20_000

/**
 * Only a queued task can be cancelled. For any other task the upstream returns an error, and the
 * task continues.
 */
async function cancelTask({ target, tools, headers }: DashscopeConnection, operation: Operation): Promise<void> {
  const id = textIn(operation['id'])
  if (id === '') return
  const url = `${target.baseUrl}/tasks/${encodeURIComponent(id)}/cancel`
  try {
    await tools.call({ method: 'POST', url, headers, signal: AbortSignal.timeout(cancelTimeoutMs) })
  } catch {
    // Errors are ignored. The task then runs to its end.
  }
}
