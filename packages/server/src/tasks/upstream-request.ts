import type { ModelDefinition, ParsedParameters } from '../catalogue/model.ts'
import { taskObjectOf } from '../catalogue/token-model.ts'
import { outputSize } from '../catalogue/output-size.ts'
import type { ProbedInput } from '../lib/input-limits.ts'
import type { UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'

/**
 * Converts parameters to the request that routes check. The size of the result uses the model's
 * defaults for a missing aspect ratio and resolution.
 */
export function upstreamRequest(
  model: ModelDefinition,
  parameters: ParsedParameters,
  inputs?: readonly ProbedInput[],
): UpstreamRequest {
  const request = { model: model.id, object: taskObjectOf(model), size: outputSize(model, parameters), parameters }
  return inputs === undefined ? request : { ...request, inputs }
}
