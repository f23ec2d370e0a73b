import { recordedEventTypes, type RecordedEventType } from '@framegate/contract'

/**
 * Bits of the event types. `event_subscribers` and `webhook_endpoints` store a set of event types
 * as a sum of these bits.
 */
export const eventTypeBits = {
  'task.completed': 1,
  'task.failed': 2,
  'task.processing': 4,
  'credits.low': 8,
} as const satisfies Record<RecordedEventType, number>

/**
 * A further bit in `event_subscribers`: tasks of the account may have a `webhook_url` of their own.
 */
export const taskWebhookBit = 16

/** The sum of `eventTypeBits`. */
export const allEventTypeBits = 15

export function bitsOf(types: readonly RecordedEventType[]): number {
  return types.reduce((bits, type) => bits | eventTypeBits[type], 0)
}

export function typesOf(bits: number): RecordedEventType[] {
  return recordedEventTypes.filter((type) => (bits & eventTypeBits[type]) !== 0)
}
