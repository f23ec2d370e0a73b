import { failureCodes } from '@framegate/contract'
import type { DriverOutput, GenerationRequest, Operation, PollOutcome, ProviderCost } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { jsonOfPoll } from '../upstream/describe-unusable.ts'
import { completedWithoutResult, failedOutcome } from '../upstream/classify-error.ts'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import { tasksUrl, type FramegateConnection } from './connection.ts'

const cancelTimeoutMs = 20_000
const longPollSeconds = 10
/**
 * Maximum number of concurrent long polls. Other polls return immediately, so that no poll waits
 * for a connection.
 */
const longPollsMax = 32

export function createPoll(
  connection: FramegateConnection,
): (operation: Operation, request: GenerationRequest, signal: AbortSignal) => Promise<PollOutcome> {
  const { target, tools, headers } = connection
  let longPollCount = 0

  return async (operation, request, signal) => {
    const isLongPoll = longPollCount < longPollsMax
    const url = taskUrl(connection, operation)
    if (isLongPoll) longPollCount++
    try {
      const response = await tools.call({
        method: 'GET',
        url: isLongPoll ? `${url}?wait=${longPollSeconds}` : url,
        headers,
        signal,
      })
      return outcomeOf(jsonOfPoll(response), request, target.baseUrl)
    } finally {
      if (isLongPoll) longPollCount--
    }
  }
}

function outcomeOf(task: JsonObject, { object }: GenerationRequest, baseUrl: string): PollOutcome {
  const cost = costOf(task)
  switch (task['status']) {
    case 'queued':
      return { state: 'queued' }
    case 'failed':
      return failedTaskOutcome(task, cost)
    case 'completed': {
      const url = textIn(task['result_url'])
      if (task['result_expired'] === true) return completedWithoutResult('the upstream no longer has the result', cost)
      if (url === '') throw new Error('a completed task has no result_url')
      const outputs = resultsIn(task, url).map((result) => outputOf(task, result, { object, baseUrl }))
      return succeededWith(outputs, cost) ?? completedWithoutResult('the task has no result', cost)
    }
    default: {
      const progress = numberIn(task['progress'])
      return progress === undefined ? { state: 'running' } : { state: 'running', progress: Math.min(99, Math.max(0, progress)) }
    }
  }
}

/**
 * Returns the results of a task. Installations of earlier versions return only one, at `url`, and
 * no list.
 */
function resultsIn(task: JsonObject, url: string): JsonObject[] {
  const listedResults = listIn(task['results'])
    .map(objectIn)
    .filter((result) => textIn(result['url']) !== '')
  return listedResults.length > 0 ? listedResults : [{ url, seed: task['seed'] }]
}

const contentTypes = { video: 'video/mp4', image: 'image/png', text: 'text/plain' } as const

function outputOf(
  task: JsonObject,
  { url, seed: reportedSeed }: JsonObject,
  { object, baseUrl }: { object: GenerationRequest['object']; baseUrl: string },
): DriverOutput {
  const seed = numberIn(reportedSeed)
  return {
    contentType: contentTypes[object],
    location: locationOf(textIn(url), baseUrl),
    ...(seed !== undefined && { seed }),
    ...(task['engine'] === 'embedded' && { engine: 'embedded' }),
  }
}

/**
 * Returns the outcome of a failed task. The upstream is another Framegate, so it has the same
 * failure codes. Its code `lost_upstream` becomes `upstream_failed` here: the upstream lost the job
 * at its own provider, so this attempt has certainly failed.
 */
function failedTaskOutcome(task: JsonObject, cost: ProviderCost | undefined): PollOutcome {
  const reportedCode = textIn(task['error_code'])
  const code =
    failureCodes.find((failureCode) => failureCode === reportedCode && failureCode !== 'lost_upstream') ?? 'upstream_failed'
  return failedOutcome(code, [reportedCode, textIn(task['error'])].filter((part) => part !== '').join(': '), cost)
}

function costOf(task: JsonObject): ProviderCost | undefined {
  const amount = numberIn(task['amount'])
  return amount === undefined ? undefined : { amount, unit: 'credits' }
}

/**
 * Returns the location of a result. A result on the configured host is fetched by path, because the
 * guarded fetch would block a private address that only the operator's configuration allows.
 */
function locationOf(url: string, baseUrl: string): { path: string } | { url: string } {
  return (url.startsWith(`${baseUrl}/`) ? { path: url.slice(baseUrl.length) } : { url }) satisfies ResultLocation
}

export async function cancel(connection: FramegateConnection, operation: Operation): Promise<void> {
  const { tools, headers } = connection
  const url = `${taskUrl(connection, operation)}/cancel`
  await tools.call({ method: 'POST', url, headers, signal: AbortSignal.timeout(cancelTimeoutMs) }).catch(() => {})
}

function taskUrl({ target }: FramegateConnection, { id }: Operation): string {
  return `${tasksUrl(target)}/${encodeURIComponent(textIn(id))}`
}
