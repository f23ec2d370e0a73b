import { eventText, type EventData } from '../events/event-data.ts'
import type { DueDelivery, EndpointState } from './delivery-queue.ts'
import { eventIdIn, taskIdIn } from './event-of-delivery.ts'
import { webhookView } from './webhook-view.ts'

export interface EventBody {
  id: string
  body: string
}

const openAiTypes = { 'task.completed': 'video.completed', 'task.failed': 'video.failed' } as const

/**
 * Creates the body of a delivery. In the format `standard`, its data shows the current state of the
 * event's subject, with newly signed links. In the format `openai`, its data is only an id. Returns
 * null if the subject of the event no longer exists.
 */
export async function eventBody(delivery: DueDelivery, endpoint: EndpointState, data: EventData): Promise<EventBody | null> {
  const { type, event_at: atMs } = delivery
  const taskId = taskIdIn(delivery)
  const id = eventIdIn(delivery)
  const text = await dataOf(delivery, endpoint, data)
  if (text === null) return null
  if (endpoint.format === 'standard') return { id, body: eventText({ id, type, atMs }, text) }
  const openAiType = type === 'task.completed' || type === 'task.failed' ? openAiTypes[type] : type
  const subject = { id: taskId ?? endpoint.id }
  const openAiEvent = { id, object: 'event', created_at: Math.floor(atMs / 1000), type: openAiType, data: subject }
  return { id, body: JSON.stringify(openAiEvent) }
}

async function dataOf(delivery: DueDelivery, endpoint: EndpointState, data: EventData): Promise<string | null> {
  const taskId = taskIdIn(delivery)
  if (taskId !== null) return data.task(endpoint.account_no, taskId)
  return delivery.type === 'credits.low' ? data.credits(endpoint.account_no) : JSON.stringify(webhookView(endpoint))
}
