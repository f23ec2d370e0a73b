import { isOverlapped, type FaultKind, type FaultPeriod } from './faults.ts'
import type { AcceptedEvent, ReceiverName } from './faulty-receivers.ts'
import { webhookReceivers } from './create-webhooks.ts'

/** A task that has ended, with its owner. */
export interface EndedTask {
  id: string
  /** Name of the account. */
  account: string
  status: 'completed' | 'failed'
  /** Whether its `webhook_url` was the receiver `tasks`. */
  hasWebhook: boolean
}

/** Faults that explain a duplicate event: the service could not record the receiver's response. */
const repeatingFaults = new Set<FaultKind>([
  'kill',
  'pause',
  'terminate',
  'rolling restart',
  'database crash',
  'database cut',
  'database stall',
])
/**
 * Timeout of a request. After a fault interrupts the deliveries to an endpoint, the receiver may
 * accept requests in flight for this long.
 */
const requestMsMax = 15_000

/**
 * Compares the events that receivers have accepted with the tasks that have ended. Returns the
 * violations by kind.
 */
export function checkEvents(
  endedTasks: readonly EndedTask[],
  accepted: readonly AcceptedEvent[],
  faults: readonly FaultPeriod[],
): Record<string, string[]> {
  const tasks = new Map(endedTasks.map((task) => [task.id, task]))
  const byDelivery = Map.groupBy(accepted, deliveryOf)
  const lostEvents = endedTasks.flatMap(({ id, account, status, hasWebhook }) => {
    const receivers: ReceiverName[] = hasWebhook ? [...webhookReceivers, 'tasks'] : webhookReceivers
    return receivers.map((receiver) => `${account}/${receiver} task.${status} ${id}`).filter((name) => !byDelivery.has(name))
  })
  return {
    'events that are lost': lostEvents,
    'events that were repeated without a fault': [...byDelivery]
      .filter(([, all]) => hasUnexplainedDuplicates(all, faults))
      .map(([name, all]) => `${name}: ${all.length} times`),
    'events with several ids': [...Map.groupBy(accepted, ({ type, taskId }) => `${type} ${taskId}`)]
      .filter(([, all]) => new Set(all.map(({ eventId }) => eventId)).size > 1)
      .map(([name]) => name),
    'events of an unknown task or of another account': accepted
      .filter(({ account, taskId }) => tasks.get(taskId)?.account !== account)
      .map(deliveryOf),
    'events that contradict the task': accepted
      .filter(({ type, taskId }) => type !== `task.${tasks.get(taskId)?.status ?? 'missing'}`)
      .map(deliveryOf),
    'events for an address that their task does not name': accepted
      .filter(({ receiver, taskId }) => receiver === 'tasks' && tasks.get(taskId)?.hasWebhook !== true)
      .map(deliveryOf),
    'events with a link to the file of another task': accepted
      .filter(({ link, taskId }) => link !== null && !new URL(link).pathname.includes(taskId))
      .map(deliveryOf),
  }
}

/** Returns a key for an event at one receiver. */
export function deliveryOf({ account, receiver, type, taskId }: AcceptedEvent): string {
  return `${account}/${receiver} ${type} ${taskId}`
}

/** Whether an event has more duplicates than the faults explain. Each fault explains one. */
function hasUnexplainedDuplicates(all: readonly AcceptedEvent[], faults: readonly FaultPeriod[]): boolean {
  if (all.length < 2) return false
  const times = all.map(({ atMs }) => atMs)
  const [fromMs, untilMs] = [Math.min(...times) - requestMsMax, Math.max(...times)]
  const explainingFaults = faults.filter((fault) => repeatingFaults.has(fault.kind) && isOverlapped(fault, fromMs, untilMs))
  return all.length - 1 > explainingFaults.length
}
