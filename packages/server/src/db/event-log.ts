/**
 * Events of tasks and accounts. An event is recorded in the transaction of the change that it
 * reports. It is recorded only if the account subscribes to its type (`event_subscribers`), or if a
 * task with a webhook of its own ends. A later transaction distributes the event: it gives the
 * event a position in the feed of its account, and creates the deliveries to webhooks.
 */
export interface EventLog {
  /**
   * Distributes up to `countMax` recorded events. Any process may call this. The calls run one
   * after the other.
   */
  distributeEvents(countMax: number): Promise<DistributedEvents>
  /**
   * The listener is called after a commit of this process that recorded events. A call may be lost.
   */
  onEventsRecorded(listener: () => void): () => void
  /** The listener is called after a distribution by any process. A call may be lost. */
  onEventsDistributed(listener: (distributed: Pick<DistributedEvents, 'accountNos' | 'hasDeliveries'>) => void): () => void
}

export interface DistributedEvents {
  eventCount: number
  /** Numbers of the accounts that the distributed events belong to. */
  accountNos: readonly number[]
  /** Whether the distribution has created deliveries to webhooks. */
  hasDeliveries: boolean
}

/** The webhook that a task names. */
export interface TaskWebhook {
  /** Number of the row in `webhook_endpoints` for the origin of the URL. */
  endpointNo: number
  url: string
}
