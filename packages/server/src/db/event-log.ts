/**
 * Events of tasks and accounts. An event is recorded in the transaction of the change that it
 * reports, and only if the account subscribes to its type (`event_subscribers`). A later
 * transaction distributes the event: it gives the event a position in the feed of its account, and
 * creates the deliveries to webhooks.
 */
export interface EventLog {
  /**
   * Distributes up to `countMax` recorded events. Any process may call this. The processes take
   * turns.
   */
  distributeEvents(countMax: number): Promise<DistributedEvents>
  /**
   * The listener is called after a commit of this process that recorded events. The call is only a
   * hint.
   */
  onEventsRecorded(listener: () => void): () => void
  /** The listener is called after a distribution by any process. The call is only a hint. */
  onEventsDistributed(listener: (distributed: Pick<DistributedEvents, 'accountNos' | 'hasDeliveries'>) => void): () => void
}

export interface DistributedEvents {
  events: number
  /** The accounts that the distributed events belong to. */
  accountNos: readonly number[]
  /** Whether there are deliveries to webhooks to send. */
  hasDeliveries: boolean
}

/** The webhook that a task names, with the row of `webhook_endpoints` for the origin of its URL. */
export interface TaskWebhook {
  endpointNo: number
  url: string
}
