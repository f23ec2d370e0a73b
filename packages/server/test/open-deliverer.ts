import { startEventDistribution } from '../src/events/distribute-events.ts'
import { createLogger } from '../src/lib/logger.ts'
import { createOpenGuardedChannel } from '../src/lib/guarded-fetch/guarded-channel.ts'
import { Deliverer, type DelivererLimits } from '../src/webhooks/deliverer.ts'
import type { HttpService } from './http-service.ts'

/** Starts the part of a worker that delivers events, for a service without a dispatcher. */
export async function openDeliverer(
  service: HttpService,
  limits: Partial<DelivererLimits> = {},
): Promise<AsyncDisposable & { deliverer: Deliverer }> {
  const { store, eventData, webhooks } = service
  const clock = (): number => Date.now() + service.clockAheadMs
  const logger = createLogger('silent')
  const resources = new AsyncDisposableStack()
  const deliverer = resources.use(
    new Deliverer({
      store,
      openChannel: createOpenGuardedChannel({ allowHosts: ['127.0.0.1'] }),
      data: eventData,
      secrets: (endpoint) => webhooks.signingSecrets(endpoint),
      onDisabled: (accountNo) => webhooks.updateSubscriptions(accountNo),
      clock,
      logger,
      limits: { timeoutMs: 400, pollIntervalMs: 20, drainMs: 100, ...limits },
    }),
  )
  resources.use(startEventDistribution(store, logger))
  deliverer.start()
  return {
    deliverer,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
