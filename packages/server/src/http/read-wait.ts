import { waitParameter } from '@framegate/contract'
import type { FastifyRequest } from 'fastify'
import { readParameter } from './query-parameters.ts'

export interface RequestedWait {
  seconds: number
  /** Asked for by `Prefer`, so an answer says that the preference was followed. */
  isPreference: boolean
}

const noWait: RequestedWait = { seconds: 0, isPreference: false }

/**
 * How long the client lets us hold the answer: `?wait=0..60`, or `Prefer: wait=N` (RFC 7240). The query decides when both
 * are there. A query parameter that makes no sense is refused; a preference that makes none is ignored, and one that asks
 * for more than a minute gets a minute.
 */
export function readWait(request: FastifyRequest): RequestedWait {
  const { wait } = request.query as { wait?: unknown }
  if (wait !== undefined) return { seconds: readParameter('wait', wait, waitParameter), isPreference: false }
  const { prefer } = request.raw.headers
  if (prefer === undefined) return noWait
  const seconds = readPreference([prefer].flat().join(','))
  return seconds === null ? noWait : { seconds, isPreference: true }
}

function readPreference(prefer: string): number | null {
  for (const preference of prefer.split(',')) {
    const found = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;|$)/i.exec(preference)
    if (found !== null) return Math.min(Number(found[1]), waitParameter.maximum)
  }
  return null
}
