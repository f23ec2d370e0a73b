import type { AdminAttempt } from '../admin-attempts.ts'
import type { List } from '../list.ts'
import type { Example } from './document-types.ts'

/**
 * In these examples, the response to a submit was lost at 12:00:30 on 15 January 2026. An hour
 * later, an operator resolved the attempt after asking the provider.
 */
const noon = 1_768_478_400
const task = 'task_019bc186de0070008b1e4d7a0c3f6295'

const lostAttempt: AdminAttempt = {
  object: 'attempt',
  id: `${task}_1`,
  task,
  model: 'vidG_video3',
  account: 'acct_1',
  account_name: 'Studio North',
  route: 'fal-main',
  status: 'failed',
  started: noon,
  ended: noon + 30,
  error: 'It is unknown whether the generation was started, so it is not started again.',
  detail: 'the connection was closed before a response arrived',
  operation: null,
  cost: null,
  cost_unit: null,
  cost_credits: null,
  reason: 'lost_reply',
  resolved_at: null,
  resolution: null,
  note: null,
}

const body = { resolution: 'refunded_upstream', note: 'ticket 4711 of the provider' } as const

const list: List<AdminAttempt> = { object: 'list', items: [lostAttempt], has_more: false, next_cursor: null }
const resolved: AdminAttempt = { ...lostAttempt, cost_credits: 0, resolved_at: noon + 3600, ...body }

export const attemptExamples = {
  body: { summary: 'A request', value: body },
  list: { summary: 'One submit whose response was lost', value: list },
  lost: { summary: 'A submit whose response was lost', value: lostAttempt },
  resolved: { summary: 'The cost was refunded', value: resolved },
} as const satisfies Record<string, Example>
