/** Events that the service records. The order determines their bits in `eventTypeBits`. */
export const recordedEventTypes = ['task.completed', 'task.failed', 'task.processing', 'credits.low'] as const
export type RecordedEventType = (typeof recordedEventTypes)[number]

/** The service sends `webhook.test` only when the owner of the webhook requests a test. */
export const eventTypes = [...recordedEventTypes, 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

/** The events that a webhook or stream receives if it does not list event types. */
export const defaultEventTypes: readonly RecordedEventType[] = ['task.completed', 'task.failed']

/** The types whose data is a task. */
export const taskEventTypes = ['task.completed', 'task.failed', 'task.processing'] as const satisfies readonly RecordedEventType[]

export const webhookFormats = ['standard', 'openai'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export const webhookDisabledReasons = ['gone', 'failing', 'suspended'] as const
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number]

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number]

/** Maximum size of a receiver's response in the delivery log, in bytes. The rest is discarded. */
export const webhookResponseBytesMax = 4096
