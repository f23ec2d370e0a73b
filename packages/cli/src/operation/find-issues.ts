import type { AdminRoute, AdminUpstream, Overview } from '@framegate/contract'
import { timeText } from '../terminal/time.ts'

/** A problem for the operator. */
export interface Issue {
  problem: string
  /** Error message and times of errors. Empty if there are none. */
  detail: string
  /** Command with which the operator examines or resolves the problem. */
  command: string
}

interface InstallationState {
  overview: Overview
  /** The reason why the server is not ready. Null: none is known. */
  readinessError: string | null
  upstreams: readonly AdminUpstream[]
  routes: readonly AdminRoute[]
  /** Number of attempts on the first page of those that an operator must resolve. */
  unresolved: number
  hasMoreUnresolved: boolean
  nowMs: number
}

/** Age of the oldest queued task above which the queue is an issue. */
const queuedSecondsMax = 600

/** Lists the problems that the operator must resolve, as the overview of the console does. */
export function findIssues(state: InstallationState): Issue[] {
  const { readinessError, upstreams, routes } = state
  const outOfService = new Set(upstreams.filter(({ circuit }) => circuit !== 'closed').map(({ name }) => name))
  const parts = [...upstreams, ...routes]
  const readinessIssues =
    readinessError === null ? [] : [{ problem: 'the server is not ready', detail: readinessError, command: 'framegate doctor' }]
  return [
    ...readinessIssues,
    ...parts
      // The circuit of an upstream applies to its routes too, which are therefore not listed again.
      .filter((part) => part.circuit !== 'closed' && !(part.object === 'route' && outOfService.has(part.upstream)))
      .map((part) => ({
        problem: `${nameOf(part)} is out of service`,
        detail: outageText(part),
        command: 'framegate routes test',
      })),
    ...parts
      .filter(({ fault }) => fault !== null)
      .map((part) => ({
        problem: `${nameOf(part)} is disabled until you correct it`,
        detail: part.fault ?? '',
        command: `framegate ${part.object}s set`,
      })),
    ...issuesOfTasks(state),
  ]
}

function issuesOfTasks({ overview, unresolved, hasMoreUnresolved, nowMs }: InstallationState): Issue[] {
  const { tasks, webhooks, ledger } = overview
  const issues: Issue[] = []
  const add = (isIssue: boolean, problem: string, command: string): void => {
    if (isIssue) issues.push({ problem, detail: '', command })
  }
  const differences = ledger.differences ?? 0
  const isQueueOld = tasks.oldest_queued !== null && nowMs / 1000 - tasks.oldest_queued > queuedSecondsMax
  add(
    unresolved > 0,
    `${hasMoreUnresolved ? 'more than ' : ''}${countText(unresolved, 'job has', 'jobs have')} an unknown outcome`,
    'framegate attempts unresolved',
  )
  add(
    differences > 0,
    countText(differences, 'difference in the ledger', 'differences in the ledger'),
    'framegate credits verify',
  )
  add(isQueueOld, 'tasks have been queued for more than 10 minutes', 'framegate routes list')
  add(tasks.held > 0, countText(tasks.held, 'task is on hold', 'tasks are on hold'), 'framegate tasks held')
  add(webhooks.failing > 0, countText(webhooks.failing, 'webhook is failing', 'webhooks are failing'), 'framegate webhooks all')
  return issues
}

function nameOf({ object, name }: AdminUpstream | AdminRoute): string {
  return `the ${object} ${name}`
}

function outageText({ last_error, failing_since, tried_again_at, circuit }: AdminUpstream | AdminRoute): string {
  return [
    last_error,
    failing_since === null ? null : `First error ${timeText(failing_since)}.`,
    circuit === 'open' && tried_again_at !== null ? `Next trial ${timeText(tried_again_at)}.` : null,
  ]
    .filter((text) => text !== null)
    .join(' ')
}

function countText(number: number, singular: string, plural: string): string {
  return `${number} ${number === 1 ? singular : plural}`
}
