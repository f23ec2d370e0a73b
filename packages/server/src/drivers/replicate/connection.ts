import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import type { UpstreamError } from '../upstream/classify-error.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface ReplicateConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

/**
 * Matches `upstream_model`: a model, a deployment, or a version with or without the name of its
 * model. Each of these three has its own path for submits.
 */
export const modelPattern = /^(deployments\/)?[\w.-]+\/[\w.-]+$|^([\w.-]+\/[\w.-]+:)?[0-9a-f]{64}$/

export function submitTargetOf({ baseUrl, model }: Pick<ConnectedTarget, 'baseUrl' | 'model'>): {
  url: string
  version?: string
} {
  if (!model.includes('/') || model.includes(':')) return { url: `${baseUrl}/predictions`, version: model }
  return { url: `${baseUrl}/${model.startsWith('deployments/') ? model : `models/${model}`}/predictions` }
}

/** Reads an error: an RFC 7807 object, of which some errors have only the `detail`. */
export function readError({ json }: Pick<UpstreamResponse, 'json'>): UpstreamError {
  const body = objectIn(json)
  return { code: textIn(body['title']), message: textIn(body['detail']).trim(), isPolicyViolation: false }
}
