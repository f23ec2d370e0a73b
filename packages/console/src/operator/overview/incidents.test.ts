import type { AdminAttempt, Overview } from '@framegate/contract'
import { expect, it } from 'vitest'
import { findIncidents } from './incidents.ts'

const overview = {
  tasks: { queued: 0, oldest_queued: null, held: 0 },
  webhooks: { failing: 0, items: [] },
  ledger: { differences: null },
} as unknown as Overview

it.each([
  [false, 'attempts'],
  [true, 'manyAttempts'],
])('if there are more unresolved attempts than were read (%s), the incident has the kind %s', (hasMoreAttempts, kind) => {
  const attempts = Array.from({ length: 20 }, () => ({}) as AdminAttempt)
  const incidents = findIncidents({
    readinessError: null,
    upstreams: [],
    routes: [],
    attempts,
    hasMoreAttempts,
    overview,
    nowMs: 0,
  })
  expect(incidents).toMatchObject([{ kind, count: 20 }])
})

it('a service that is not ready is an incident with the reason', () => {
  const readinessError = 'The media store is not writable (ENOSPC).'
  const incidents = findIncidents({
    readinessError,
    upstreams: [],
    routes: [],
    attempts: [],
    hasMoreAttempts: false,
    overview,
    nowMs: 0,
  })
  expect(incidents).toMatchObject([{ kind: 'notReady', detail: readinessError, path: '/console/log' }])
})
