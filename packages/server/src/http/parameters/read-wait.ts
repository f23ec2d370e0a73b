import { waitParameter } from '@framegate/contract'
import type { FastifyRequest } from 'fastify'
import { readParameter } from './query-parameters.ts'

export interface RequestedWait {
  seconds: number
  /**
   * Whether the header `Prefer` requested the wait. The response then states that the preference
   * was applied.
   */
  isPreference: boolean
}

const noWait: RequestedWait = { seconds: 0, isPreference: false }

/**
 * Reads the maximum duration of a long poll: `?wait=0..60`, or `Prefer: wait=N` (RFC 7240). The
 * query parameter takes precedence. An invalid query parameter is an error. An invalid preference
 * is ignored, and a preference for more than a minute is reduced to a minute.
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
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;|$)/i.exec(preference)
    if (match !== null) return Math.min(Number(match[1]), waitParameter.maximum)
  }
  return null
}
