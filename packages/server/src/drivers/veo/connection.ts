import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import type { UpstreamError } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface VeoConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  /** Returns headers with the API key or a currently valid token. */
  headers: () => Readonly<Record<string, string>>
}

/** Whether the base URL names a project on Vertex AI. All others use the Gemini API. */
export function isVertex({ baseUrl }: Pick<UpstreamTarget, 'baseUrl'>): boolean {
  return /\/projects\/[^/]+\/locations\/[^/]+$/.test(baseUrl)
}

export function modelUrl(target: Pick<UpstreamTarget, 'baseUrl' | 'model'>): string {
  return `${target.baseUrl}/${isVertex(target) ? 'publishers/google/' : ''}models/${encodeURIComponent(target.model)}`
}

export const policyPattern = /safety|sensitive|polic|responsible ai|usage guidelines|violat|blocked/i

/**
 * Reads `{"error": {code, message, status, details}}`. Returns `status`, such as `NOT_FOUND`, as
 * the code of the error.
 */
export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const error = objectIn(objectIn(json)['error'])
  const message = textIn(error['message'])
  return { code: textIn(error['status']), message, isPolicyViolation: policyPattern.test(message) }
}

/** Returns the entry of `details` with this type, such as `ErrorInfo`. */
export function detailIn({ json }: Pick<UpstreamResponse, 'json'>, type: string): JsonObject {
  const details = listIn(objectIn(objectIn(json)['error'])['details']).map(objectIn)
  return details.find((detail) => textIn(detail['@type']).endsWith(`.${type}`)) ?? {}
}
