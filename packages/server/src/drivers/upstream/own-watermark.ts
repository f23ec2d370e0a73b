import type { Driver, DriverOutput, Job, PollOutcome } from '../driver.ts'
import type { ConnectedTarget, UpstreamDriver, UpstreamRequest, UpstreamTarget, UpstreamTools } from './upstream-driver.ts'

/**
 * Wraps the driver for an installation with a watermark of its own. If the provider has no
 * watermark, or one that names another operator, none is requested there. The result is marked as
 * `lacksWatermark`, so that the collector draws ours.
 */
export function withOwnWatermark(driver: UpstreamDriver): UpstreamDriver {
  const isOurs = (request: UpstreamRequest, target: UpstreamTarget): boolean =>
    request.parameters.watermark === true &&
    (driver.watermarkNamesUpstream === true || driver.refuse(request, target)?.parameter === 'watermark')
  return {
    ...driver,
    refuse: (request, target) => driver.refuse(isOurs(request, target) ? withoutWatermark(request) : request, target),
    connect: (target, tools) => connect(driver, target, tools, isOurs),
  }
}

function connect(
  upstreamDriver: UpstreamDriver,
  target: ConnectedTarget,
  tools: UpstreamTools,
  isOurs: (request: UpstreamRequest, target: UpstreamTarget) => boolean,
): Driver {
  const driver = upstreamDriver.connect(target, tools)
  const theirs = (job: Job): Job => (isOurs(job, target) ? withoutWatermark(job) : job)
  const start = driver.start.bind(driver)
  const poll = driver.poll.bind(driver)
  const find = driver.find?.bind(driver)
  driver.start = (job, context) => start(theirs(job), context)
  driver.poll = async (operation, job, signal) => {
    const outcome = await poll(operation, theirs(job), signal)
    return isOurs(job, target) ? lackingWatermark(outcome) : outcome
  }
  if (find !== undefined) driver.find = (job, signal) => find(theirs(job), signal)
  return driver
}

function withoutWatermark<Asked extends UpstreamRequest>(asked: Asked): Asked {
  return { ...asked, parameters: { ...asked.parameters, watermark: false } }
}

function lackingWatermark(outcome: PollOutcome): PollOutcome {
  if (outcome.state !== 'succeeded') return outcome
  const [first, ...others] = outcome.outputs
  return { ...outcome, outputs: [lacking(first), ...others.map(lacking)] }
}

function lacking(output: DriverOutput): DriverOutput {
  return { ...output, lacksWatermark: true }
}
