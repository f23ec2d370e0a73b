import { messageOf } from '../../lib/message-of.ts'
import { NotAccepted, type Driver, type DriverOutput, type GenerationRequest, type PollOutcome } from '../driver.ts'
import type { UpstreamDriver, UpstreamRequest, UpstreamTarget } from './upstream-driver.ts'

/**
 * Wraps a driver whose provider draws no watermark, or a watermark that names the provider. If the
 * client requests a watermark, the wrapper requests none from the provider and marks the outputs
 * with `lacksWatermark`, so that the service draws its own when it collects them. If this machine
 * cannot draw watermarks on videos, `start` rejects the request before the operator pays for a
 * video that cannot be delivered.
 */
export function withOwnWatermark(driver: UpstreamDriver, requireVideoEncoder: () => Promise<void>): UpstreamDriver {
  const addsWatermark = (request: UpstreamRequest, target: UpstreamTarget): boolean =>
    request.parameters.watermark === true &&
    (driver.watermarkNamesUpstream === true || driver.refuse(request, target)?.parameter === 'watermark')
  return {
    ...driver,
    refuse: (request, target) => driver.refuse(addsWatermark(request, target) ? withoutWatermark(request) : request, target),
    connect: (target, tools) =>
      wrapConnected(driver.connect(target, tools), (request) => addsWatermark(request, target), requireVideoEncoder),
  }
}

function wrapConnected(
  driver: Driver,
  addsWatermark: (request: GenerationRequest) => boolean,
  requireVideoEncoder: () => Promise<void>,
): Driver {
  const requestForDriver = (request: GenerationRequest): GenerationRequest =>
    addsWatermark(request) ? withoutWatermark(request) : request
  const start = driver.start.bind(driver)
  const poll = driver.poll.bind(driver)
  const find = driver.find?.bind(driver)
  driver.start = async (request, context) => {
    if (addsWatermark(request) && request.object === 'video') await requireVideoEncoder().catch(throwUnsuitable)
    return await start(requestForDriver(request), context)
  }
  driver.poll = async (operation, request, signal) => {
    const outcome = await poll(operation, requestForDriver(request), signal)
    return addsWatermark(request) ? markMissingWatermark(outcome) : outcome
  }
  if (find !== undefined) driver.find = (request, signal) => find(requestForDriver(request), signal)
  return driver
}

function throwUnsuitable(cause: unknown): never {
  throw new NotAccepted('unsuitable', messageOf(cause), { cause })
}

function withoutWatermark<Request extends UpstreamRequest>(request: Request): Request {
  return { ...request, parameters: { ...request.parameters, watermark: false } }
}

function markMissingWatermark(outcome: PollOutcome): PollOutcome {
  if (outcome.state !== 'succeeded') return outcome
  const [firstOutput, ...otherOutputs] = outcome.outputs
  return { ...outcome, outputs: [markOutput(firstOutput), ...otherOutputs.map(markOutput)] }
}

function markOutput(output: DriverOutput): DriverOutput {
  return { ...output, lacksWatermark: true }
}
