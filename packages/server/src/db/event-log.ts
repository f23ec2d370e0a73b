/**
 * Events of tasks and accounts. An event is recorded in the transaction of its change, and only if
 * the account subscribes to its type (`event_subscribers`). Its distribution, in a later
 * transaction, gives it a position in the feed of its account and makes the deliveries to webhooks.
 */
export interface EventLog {
  /** Distributes up to `countMax` recorded events. Any process may; they take turns. */
  distributeEvents(countMax: number): Promise<DistributedEvents>
  /** Called after a commit of this process that recorded events. It is only a hint. */
  onEventsRecorded(listener: () => void): () => void
  /** Called after a distribution by any process. It is only a hint. */
  onEventsDistributed(listener: (distributed: Pick<DistributedEvents, 'accountNos' | 'hasDeliveries'>) => void): () => void
}

export interface DistributedEvents {
  events: number
  /** The accounts of these events. */
  accountNos: readonly number[]
  /** Whether there is something to deliver to a webhook. */
  hasDeliveries: boolean
}

/** Webhook that a task names, with the row of `webhook_endpoints` for its origin. */
export interface TaskWebhook {
  endpointNo: number
  url: string
}
