import type { GenerationRequest, PollOutcome, ProviderCost } from '../driver.ts'
import { completedWithoutResult, failedOutcome } from '../upstream/classify-error.ts'
import { textIn, type JsonObject } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'

/** A polled job of either generation of the API. */
export interface KlingTask {
  status: string
  message: string
  files: readonly JsonObject[]
  cost: ProviderCost | undefined
}

const policyPattern = /risk|sensitive|policy|violat|inappropriate|unsafe/i

/**
 * The statuses are `submitted`, `processing`, `succeed` or `succeeded`, and `failed`. Any other
 * status counts as running.
 */
export function outcomeOf({ status, message, files, cost }: KlingTask, { object, parameters }: GenerationRequest): PollOutcome {
  switch (status) {
    case 'submitted':
      return { state: 'queued' }
    case 'succeed':
    case 'succeeded': {
      const contentType = object === 'video' ? 'video/mp4' : 'image/png'
      const outputs = files
        .map((file) => (parameters.watermark === true && textIn(file['watermark_url'])) || textIn(file['url']))
        .filter((url) => url !== '')
        .map((url) => ({ contentType, location: { url } }))
      return succeededWith(outputs, cost) ?? completedWithoutResult('the job succeeded without a file', cost)
    }
    case 'failed':
      return failedOutcome(policyPattern.test(message) ? 'content_policy' : 'upstream_failed', message, cost)
    default:
      return { state: 'running' }
  }
}
