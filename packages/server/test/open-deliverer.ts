import { startEventDistribution } from '../src/events/distribute-events.ts'
import { createLogger } from '../src/lib/logger.ts'
import { createOpenGuardedChannel } from '../src/lib/guarded-fetch/guarded-channel.ts'
import { createUrlSigner } from '../src/media/sign-url.ts'
import { createTaskViews } from '../src/tasks/task-view.ts'
import { Deliverer, type DelivererLimits } from '../src/webhooks/deliverer.ts'
import { createEventData } from '../src/events/event-data.ts'
import { resultUrlTtlSeconds, type HttpService } from './http-service.ts'

/** The part of a worker that delivers events, for a service without a dispatcher. */
export async function openDeliverer(
  service: HttpService,
  limits: Partial<DelivererLimits> = {},
): Promise<AsyncDisposable & { deliverer: Deliverer }> {
  const { store, brands, webhooks, origin } = service
  const clock = (): number => Date.now() + service.clockAheadMs
  const signer = createUrlSigner({
    key: Buffer.alloc(32, 7),
    publicUrl: () => origin,
    basePath: '/api',
    ttlSeconds: resultUrlTtlSeconds,
  })
  const views = createTaskViews({ signer, resultUrlTtlSeconds, clock })
  const logger = createLogger('silent')
  const opened = new AsyncDisposableStack()
  const deliverer = opened.use(
    new Deliverer({
      store,
      openChannel: createOpenGuardedChannel({ allowHosts: ['127.0.0.1'] }),
      data: createEventData({ store, views, brands, clock }),
      secrets: (endpoint) => webhooks.signingSecrets(endpoint),
      onDisabled: (accountNo) => webhooks.disabled(accountNo),
      clock,
      logger,
      limits: { timeoutMs: 400, pollIntervalMs: 20, drainMs: 100, ...limits },
    }),
  )
  opened.use(startEventDistribution(store, logger))
  deliverer.start()
  return {
    deliverer,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
