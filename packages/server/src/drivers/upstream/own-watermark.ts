import { messageOf } from '../../lib/message-of.ts'
import { NotAccepted, type Driver, type DriverOutput, type GenerationRequest, type PollOutcome } from '../driver.ts'
import type { UpstreamDriver, UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'

/**
 * Wraps a driver so that the service draws its own watermark. If the provider cannot draw a
 * watermark, or draws one that names the provider, the wrapper does not request a watermark from
 * the provider. The wrapper marks the result with `lacksWatermark`, and the collector draws the
 * service's watermark. If this machine cannot draw a watermark on videos, a video is not submitted,
 * because it would cost money and could not be delivered.
 */
export function withOwnWatermark(driver: UpstreamDriver, requireVideoEncoder: () => Promise<void>): UpstreamDriver {
  const addsWatermark = (request: UpstreamRequest, target: UpstreamTarget): boolean =>
    request.parameters.watermark === true &&
    (driver.watermarkNamesUpstream === true || driver.refuse(request, target)?.parameter === 'watermark')
  return {
    ...driver,
    refuse: (request, target) => driver.refuse(addsWatermark(request, target) ? withoutWatermark(request) : request, target),
    connect: (target, tools) =>
      connect(driver.connect(target, tools), (request) => addsWatermark(request, target), requireVideoEncoder),
  }
}

function connect(
  driver: Driver,
  addsWatermark: (request: GenerationRequest) => boolean,
  requireVideoEncoder: () => Promise<void>,
): Driver {
  const requestFor = (request: GenerationRequest): GenerationRequest =>
    addsWatermark(request) ? withoutWatermark(request) : request
  const start = driver.start.bind(driver)
  const poll = driver.poll.bind(driver)
  const find = driver.find?.bind(driver)
  driver.start = async (request, context) => {
    if (addsWatermark(request) && request.object === 'video') await requireVideoEncoder().catch(refuse)
    return await start(requestFor(request), context)
  }
  driver.poll = async (operation, request, signal) => {
    const outcome = await poll(operation, requestFor(request), signal)
    return addsWatermark(request) ? lackingWatermark(outcome) : outcome
  }
  if (find !== undefined) driver.find = (request, signal) => find(requestFor(request), signal)
  return driver
}

function refuse(cause: unknown): never {
  throw new NotAccepted('unsuitable', messageOf(cause), { cause })
}

function withoutWatermark<Request extends UpstreamRequest>(request: Request): Request {
  return { ...request, parameters: { ...request.parameters, watermark: false } }
}

function lackingWatermark(outcome: PollOutcome): PollOutcome {
  if (outcome.state !== 'succeeded') return outcome
  const [first, ...others] = outcome.outputs
  return { ...outcome, outputs: [withMissingWatermark(first), ...others.map(withMissingWatermark)] }
}

function withMissingWatermark(output: DriverOutput): DriverOutput {
  return { ...output, lacksWatermark: true }
}
