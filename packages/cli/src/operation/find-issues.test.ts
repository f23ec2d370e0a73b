import type { AdminRoute, AdminUpstream, Overview } from '@framegate/contract'
import { expect, it } from 'vitest'
import { findIssues } from './find-issues.ts'

const overview = {
  tasks: { queued: 0, oldest_queued: null, held: 0 },
  webhooks: { failing: 0, items: [] },
  ledger: { differences: null },
} as unknown as Overview
const healthy = { fault: null, circuit: 'closed', failing_since: null, tried_again_at: null, last_error: null }
const upstream = (fields: object) => ({ ...healthy, object: 'upstream', ...fields }) as AdminUpstream
const route = (fields: object) => ({ ...healthy, object: 'route', ...fields }) as AdminRoute
const nothing = { overview, readinessError: null, upstreams: [], routes: [], unresolved: 0, hasMoreUnresolved: false, nowMs: 0 }

it('findIssues lists upstreams and routes out of service with their errors, and no routes of such an upstream', () => {
  const outage = { circuit: 'open', failing_since: 0, tried_again_at: 60, last_error: 'No connection could be made.' }
  const issues = findIssues({
    ...nothing,
    upstreams: [upstream({ name: 'fal', ...outage }), upstream({ name: 'ark' })],
    routes: [
      route({ name: 'a', upstream: 'fal', ...outage }),
      route({ name: 'b', upstream: 'ark', ...outage }),
      route({ name: 'c', upstream: 'ark', fault: 'upstream is unknown' }),
    ],
  })
  expect(issues.map(({ problem, detail }) => [problem, detail])).toEqual([
    [
      'the upstream fal is out of service',
      'No connection could be made. First error 1970-01-01T00:00:00Z. Next trial 1970-01-01T00:01:00Z.',
    ],
    [
      'the route b is out of service',
      'No connection could be made. First error 1970-01-01T00:00:00Z. Next trial 1970-01-01T00:01:00Z.',
    ],
    ['the route c is disabled until you correct it', 'upstream is unknown'],
  ])
})

it('findIssues lists an old queue, held tasks, failing webhooks, unresolved attempts and differences of the ledger', () => {
  const issues = findIssues({
    ...nothing,
    overview: {
      ...overview,
      tasks: { queued: 3, processing: 0, oldest_queued: 0, held: 1 },
      webhooks: { failing: 2, items: [] },
      ledger: { checked: 0, differences: 1 },
    },
    unresolved: 20,
    hasMoreUnresolved: true,
    nowMs: 601_000,
  })
  expect(issues.map(({ problem }) => problem)).toEqual([
    'more than 20 jobs have an unknown outcome',
    '1 difference in the ledger',
    'tasks have been queued for more than 10 minutes',
    '1 task is on hold',
    '2 webhooks are failing',
  ])
  expect(findIssues(nothing)).toEqual([])
})
