import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import type { UpstreamError } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface VeoConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  /** Headers with a currently valid authorization. */
  headers: () => Readonly<Record<string, string>>
}

/** Whether an address is a project on Vertex AI; any other uses the shape of the Gemini API. */
export function isVertex({ baseUrl }: Pick<UpstreamTarget, 'baseUrl'>): boolean {
  return /\/projects\/[^/]+\/locations\/[^/]+$/.test(baseUrl)
}

export function modelUrl(target: Pick<UpstreamTarget, 'baseUrl' | 'model'>): string {
  return `${target.baseUrl}/${isVertex(target) ? 'publishers/google/' : ''}models/${encodeURIComponent(target.model)}`
}

export const policyPattern = /safety|sensitive|polic|responsible ai|usage guidelines|violat|blocked/i

/**
 * `{"error": {code, message, status, details}}`; code is the HTTP status, or a gRPC number in an
 * operation.
 */
export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const error = objectIn(objectIn(json)['error'])
  const message = textIn(error['message'])
  return { code: textIn(error['status']), message, isPolicy: policyPattern.test(message) }
}

/** The entry of `details` of one type, such as `ErrorInfo`. */
export function detailIn({ json }: Pick<UpstreamResponse, 'json'>, type: string): JsonObject {
  const details = listIn(objectIn(objectIn(json)['error'])['details']).map(objectIn)
  return details.find((detail) => textIn(detail['@type']).endsWith(`.${type}`)) ?? {}
}
