import type { GenerationRequest, PollOutcome, Usage } from '../driver.ts'
import { failedBecause } from '../upstream/classify-error.ts'
import { textIn, type JsonObject } from '../upstream/read-json.ts'

export interface KlingTask {
  status: string
  message: string
  file: JsonObject | undefined
  usage: Usage | undefined
}

const policyPattern = /risk|sensitive|policy|violat|inappropriate|unsafe/i

/**
 * `submitted`, `processing`, `succeed` or `succeeded`, `failed`. Any other status counts as running.
 */
export function outcomeOf({ status, message, file, usage }: KlingTask, { object, parameters }: GenerationRequest): PollOutcome {
  switch (status) {
    case 'submitted':
      return { state: 'queued' }
    case 'succeed':
    case 'succeeded': {
      const marked = parameters.watermark === true ? textIn(file?.['watermark_url']) : ''
      const url = marked || textIn(file?.['url'])
      if (url === '') return failedBecause('upstream_failed', 'it succeeded without a file', usage)
      const contentType = object === 'video' ? 'video/mp4' : 'image/png'
      return { state: 'succeeded', outputs: [{ contentType, location: { url } }], ...(usage !== undefined && { usage }) }
    }
    case 'failed':
      return failedBecause(policyPattern.test(message) ? 'content_policy' : 'upstream_failed', message, usage)
    default:
      return { state: 'running' }
  }
}
