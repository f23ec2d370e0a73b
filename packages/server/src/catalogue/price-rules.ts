import { microCreditsOf } from '../credits/micro-credits.ts'
import type { PriceRule } from './model.ts'

/** Converts a price per image from the credits of a family table to micro-credits. */
export function perImage(credits: Record<string, number>): PriceRule {
  return { unit: 'image', microCredits: toMicroCredits(credits) }
}

export function perSecond(credits: Record<string, number>, extra: { audio?: number; minimum?: number } = {}): PriceRule {
  return {
    unit: 'second',
    microCredits: toMicroCredits(credits),
    audioMicroCredits: microCreditsOf(extra.audio ?? 0),
    minimumMicroCredits: microCreditsOf(extra.minimum ?? 0),
  }
}

export function perTask(credits: number): PriceRule {
  return { unit: 'task', microCredits: toMicroCredits({ '*': credits }) }
}

function toMicroCredits(credits: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(credits).map(([resolution, price]) => [resolution, microCreditsOf(price)]))
}
