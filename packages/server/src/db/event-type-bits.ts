import { recordedEventTypes, type RecordedEventType } from '@framegate/contract'

/** Sets of event types as bits, in `event_subscribers` and `webhook_endpoints`. */
export const eventTypeBits = {
  'task.completed': 1,
  'task.failed': 2,
  'task.processing': 4,
  'credits.low': 8,
} as const satisfies Record<RecordedEventType, number>

/** In `event_subscribers`: tasks of the account may name a webhook of their own. */
export const taskWebhookBit = 16

export const allEventTypes = 15

export function bitsOf(types: readonly RecordedEventType[]): number {
  return types.reduce((bits, type) => bits | eventTypeBits[type], 0)
}

export function typesOf(bits: number): RecordedEventType[] {
  return recordedEventTypes.filter((type) => (bits & eventTypeBits[type]) !== 0)
}
