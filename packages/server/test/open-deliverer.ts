import type { KyselyPlugin, QueryId } from 'kysely'
import { startEventDistribution } from '../src/events/distribute-events.ts'
import { createLogger } from '../src/lib/logger.ts'
import { createOpenGuardedChannel } from '../src/lib/guarded-fetch/guarded-channel.ts'
import { Deliverer, type DelivererLimits, type DelivererDependencies } from '../src/webhooks/deliverer.ts'
import type { HttpService } from './http-service.ts'

/**
 * Starts the part of a worker that delivers events, for a service without a dispatcher. `onDueRead`
 * is called between each read of the due deliveries of a webhook and its result.
 */
export async function openDeliverer(
  service: HttpService,
  limits: Partial<DelivererLimits> = {},
  onDueRead?: () => Promise<void>,
): Promise<AsyncDisposable & { deliverer: Deliverer }> {
  const { store, eventData, webhooks } = service
  const clock = (): number => Date.now() + service.clockAheadMs
  const logger = createLogger('silent')
  const resources = new AsyncDisposableStack()
  const deliverer = resources.use(
    new Deliverer({
      store: onDueRead === undefined ? store : withSlowReads(store, onDueRead),
      openChannel: createOpenGuardedChannel({ allowHosts: ['127.0.0.1'] }),
      data: eventData,
      secrets: (endpoint) => webhooks.signingSecrets(endpoint),
      onDisabled: (accountNo) => webhooks.updateSubscriptions(accountNo),
      clock,
      expiryClock: clock,
      logger,
      limits: { timeoutMs: 400, pollIntervalMs: 20, resetIntervalMs: 100, drainMs: 100, ...limits },
    }),
  )
  resources.use(startEventDistribution(store, logger))
  deliverer.start()
  return {
    deliverer,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function withSlowReads(store: HttpService['store'], onDueRead: () => Promise<void>): DelivererDependencies['store'] {
  const dueReads = new WeakSet<QueryId>()
  const slowReads: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes('webhook_deliveries')) dueReads.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (dueReads.has(queryId)) await onDueRead()
      return result
    },
  }
  return {
    database: store.database.withPlugin(slowReads),
    isShared: store.isShared,
    writeAtomically: (...statements) => store.writeAtomically(...statements),
    onEventsDistributed: (listener) => store.onEventsDistributed(listener),
  }
}
