import type { ParameterRefusal, UpstreamDriver, UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'

/** Returns the reason why a route to the target cannot serve the request. Null if it can. */
export function refuseRequest(
  driver: Pick<UpstreamDriver, 'makesTexts' | 'refuse'>,
  request: UpstreamRequest,
  target: UpstreamTarget,
): ParameterRefusal | null {
  if (request.object === 'text' && driver.makesTexts !== true) {
    return { parameter: 'model', message: 'model requires a route to a language model' }
  }
  return driver.refuse(request, target)
}
