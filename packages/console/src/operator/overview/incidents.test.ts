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
])('with hasMoreAttempts %s, the incident of unresolved attempts is %s', (hasMoreAttempts, kind) => {
  const attempts = Array.from({ length: 20 }, () => ({}) as AdminAttempt)
  const incidents = findIncidents({ upstreams: [], routes: [], attempts, hasMoreAttempts, overview, nowMs: 0 })
  expect(incidents).toMatchObject([{ kind, count: 20 }])
})
