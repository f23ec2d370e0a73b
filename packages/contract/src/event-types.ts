/** Events that the service records, in the order of their bits (`eventTypeBits`). */
export const recordedEventTypes = ['task.completed', 'task.failed', 'task.processing', 'credits.low'] as const
export type RecordedEventType = (typeof recordedEventTypes)[number]

/** A test is sent to a webhook only when its owner requests it. */
export const eventTypes = [...recordedEventTypes, 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

/** The events of a webhook or stream that names none. */
export const defaultEventTypes: readonly RecordedEventType[] = ['task.completed', 'task.failed']

/** The types whose data is a task. */
export const taskEventTypes = ['task.completed', 'task.failed', 'task.processing'] as const satisfies readonly RecordedEventType[]

export const webhookFormats = ['standard', 'openai'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export const webhookDisabledReasons = ['gone', 'failing'] as const
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number]

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number]

/** Bytes of a receiver's response that the log of deliveries keeps. */
export const webhookResponseBytesMax = 4096
