import type { Model, ParsedParameters } from '../catalogue/model.ts'
import { outputSize } from '../catalogue/output-size.ts'
import type { UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'

/** `model` is the definition: size follows from its defaults where a request has no ratio or resolution. */
export function upstreamRequest(model: Model, parameters: ParsedParameters): UpstreamRequest {
  return { model: model.id, object: model.object, size: outputSize(model, parameters), parameters }
}
