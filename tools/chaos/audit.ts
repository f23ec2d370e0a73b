import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { rowsOf } from '../../packages/server/test/postgres/postgres-server.ts'
import { taskIdOf, taskNoOf } from '../../packages/server/src/identity/task-id.ts'
import type { KnownTask } from './clients.ts'
import { findEarlySubmits, type EarlySubmits } from './early-submits.ts'
import type { FaultPeriod } from './faults.ts'
import type { Installation } from './installation.ts'
import { matchSubmits, type MatchedSubmit } from './match-submits.ts'
import { findUnsentSubmits, type UnsentSubmits } from './unsent-submits.ts'
import { findSubmitsOverLimit } from './over-limit.ts'
import { trialRoutes } from './routing.ts'
import { findSentAfterCancel } from './sent-after-cancel.ts'
import { findStarvedTasks, type Period } from './starved-tasks.ts'
import { deliveryOf, checkEvents, type EndedTask } from './check-events.ts'
import { checkJobs, type StoredAttempt } from './check-jobs.ts'

/** Number of violations of one kind. */
export interface ViolationCount {
  name: string
  count: number
  /** A few examples of the violations. */
  examples: string[]
}

export interface AuditFigures {
  tasks: number
  completed: number
  failed: Record<string, number>
  stillRunning: number
  attempts: number
  upstreamJobs: number
  unresolvedAttempts: number
  chargedCredits: number
  files: number
  /** Peak number of jobs in flight at each upstream, with its limit. */
  inFlight: Record<string, string>
  /** Number of accepted submits by route. */
  submitsByRoute: Record<string, number>
  refusals: Pick<EarlySubmits, 'refusals' | 'checked'>
  unsentSubmits: Omit<UnsentSubmits, 'found'>
  /**
   * Numbers of events that receivers have accepted, of the duplicates among these, and of requests
   * that receivers failed.
   */
  events: { accepted: number; repeated: number; failedRequests: number }
}

interface StoredTask {
  no: string
  tail: string
  status: string
  error_code: string | null
  charged: string | null
  price: string
  key: string | null
  object_key: string | null
  sha256: string | null
  operation_id: string | null
}

const selectTasks = `
  select t.no, t.tail, t.status, t.error_code, t.charged, t.price, k.key, r.object_key, r.sha256,
    (
      select min(w.operation::json ->> 'id') from task_attempts w where w.task_no = t.no and w.state = 'succeeded'
    ) as operation_id
  from tasks t
  left join idempotency_keys k on k.task_no = t.no
  left join results r on r.task_no = t.no`
const selectAttempts = `
  select a.task_no, t.tail, k.key, a.number, a.state, a.route, a.operation::json ->> 'id' as operation_id, a.unresolved, a.closing,
    a.started_at, a.ended_at, a.begun_fence
  from task_attempts a
  join tasks t on t.no = a.task_no
  left join idempotency_keys k on k.task_no = a.task_no`

type AttemptRow = Omit<StoredAttempt, 'taskId' | 'startedAtMs' | 'endedAtMs' | 'begunFence'> & {
  task_no: string
  tail: string
  started_at: string
  ended_at: string | null
  begun_fence: string
}

function attemptOf({ task_no, tail, started_at, ended_at, begun_fence, ...attempt }: AttemptRow): StoredAttempt {
  const endedAtMs = ended_at === null ? null : Number(ended_at)
  const taskId = taskIdOf(Number(task_no), tail)
  return { ...attempt, taskId, startedAtMs: Number(started_at), endedAtMs, begunFence: Number(begun_fence) }
}

interface StoredSums {
  charged_in_ledger: string
  held: string
  account_held: string
}

const selectSums = `
  select
    (select coalesce(sum(amount + held), 0) from entries where task_no is not null) as charged_in_ledger,
    (select coalesce(sum(price), 0) from tasks where ended_at is null) as held,
    (select coalesce(sum(held), 0) from accounts) as account_held`

const examplesMax = 5
const microCredits = 1_000_000

export interface AuditInput {
  knownTasks: readonly KnownTask[]
  faults: readonly FaultPeriod[]
  /** The period without faults at the end of the run. Clients still submit at its beginning. */
  faultFreePeriod: Period
}

/**
 * Compares the data in the database and the bucket with the records of clients, upstreams and
 * receivers. The ledger is an exception: the service itself verifies it.
 */
export async function audit(
  installation: Installation,
  { knownTasks, faults, faultFreePeriod }: AuditInput,
): Promise<{ violationCounts: ViolationCount[]; figures: AuditFigures }> {
  const { databaseUrl } = installation
  const tasks = await rowsOf<StoredTask>(databaseUrl, selectTasks)
  const attempts = (await rowsOf<AttemptRow>(databaseUrl, selectAttempts)).map(attemptOf)
  const byNo = new Map(tasks.map((task) => [Number(task.no), task]))
  const idOf = (task: StoredTask): string => taskIdOf(Number(task.no), task.tail)
  const endedTasks = tasks.filter(({ status }) => status === 'completed' || status === 'failed')
  const completed = tasks.filter(({ status }) => status === 'completed')
  const acknowledged = knownTasks.filter(({ ids }) => ids.size > 0)

  const violationCounts: ViolationCount[] = []
  const addViolations = (name: string, violations: readonly string[]): void => {
    violationCounts.push({ name, count: violations.length, examples: violations.slice(0, examplesMax) })
  }
  const idsOf = (tasks: readonly StoredTask[]): string[] => tasks.map(idOf)

  addViolations(
    'acknowledged tasks that are lost',
    acknowledged
      .flatMap(({ ids }) => Array.from(ids))
      .filter((id) => {
        const task = byNo.get(taskNoOf(id))
        return task === undefined || idOf(task) !== id
      }),
  )
  addViolations(
    'tasks whose final status has changed',
    acknowledged
      .filter(({ ids, status }) => {
        const [id = ''] = ids
        return (status === 'completed' || status === 'failed') && byNo.get(taskNoOf(id))?.status !== status
      })
      .flatMap(({ ids }) => Array.from(ids)),
  )
  addViolations('tasks that have not ended', idsOf(tasks.filter(({ status }) => status === 'queued' || status === 'processing')))
  addViolations(
    'idempotency keys with two tasks',
    acknowledged.filter(({ ids }) => ids.size > 1).map(({ key }) => key),
  )
  const submittedKeys = new Set(knownTasks.map(({ key }) => key))
  addViolations('tasks that no client submitted', idsOf(tasks.filter(({ key }) => key === null || !submittedKeys.has(key))))
  addViolations('task ids used twice', findDuplicates(tasks.map(idOf)))
  for (const [name, violations] of Object.entries(checkJobs(attempts, installation.upstreams))) addViolations(name, violations)

  // No simulated upstream rejects an input, and at least one route can serve each request.
  const isInvalid = (task: StoredTask): boolean => task.error_code === 'invalid_input'
  addViolations('tasks that failed for an input that a route can serve', idsOf(endedTasks.filter(isInvalid)))
  const submits = matchSubmits(
    installation.upstreams.flatMap((upstream) => upstream.submits),
    attempts,
  )
  addViolations('submits over a limit', findSubmitsOverLimit(submits))
  const early = findEarlySubmits(submits, faults)
  addViolations('submits during a Retry-After pause', early.found)
  addViolations('tasks that starved', findStarvedTasks(knownTasks, attempts, submits, { faultFreePeriod, faults }))
  addViolations('submits of cancelled tasks', findSentAfterCancel(submits, knownTasks, faults))
  const unsentSubmits = findUnsentSubmits(attempts, submits, faults)
  addViolations('attempts given up without a submit', unsentSubmits.found)

  addViolations('completed tasks with a missing or wrong file', await findIncorrectFiles(completed, installation))
  const sha256Of = new Map(completed.map((task) => [idOf(task), task.sha256]))
  addViolations(
    'downloads that differ from the stored file',
    knownTasks.filter(({ ids, sha256 }) => sha256 !== null && sha256Of.get([...ids][0] ?? '') !== sha256).map(({ key }) => key),
  )
  const objectKeys = new Set(completed.map(({ object_key }) => object_key))
  const { objects } = installation.s3.filesIn(installation.bucket)
  addViolations(
    'files without a completed task',
    objects.filter((object) => !objectKeys.has(object.split('/').at(-1) ?? '')),
  )

  const { receivers } = installation
  const endedTaskList = acknowledged.flatMap((task): EndedTask[] => {
    const [id = ''] = task.ids
    const status = byNo.get(taskNoOf(id))?.status
    return status === 'completed' || status === 'failed'
      ? [{ id, account: task.account, status, hasWebhook: task.hasWebhook }]
      : []
  })
  for (const [name, violations] of Object.entries(checkEvents(endedTaskList, receivers.accepted, faults)))
    addViolations(name, violations)
  addViolations('requests to a receiver without a valid signature', receivers.violations)

  addViolations('ledger differences', await findLedgerDifferences(installation))
  const [sums] = await rowsOf<StoredSums>(databaseUrl, selectSums)
  const charged = completed.reduce((sum, task) => sum + Number(task.charged), 0)
  const chargedInLedger = -Number(sums?.charged_in_ledger)
  addViolations('differences between sums of charges or holds', [
    ...(chargedInLedger === charged ? [] : [`charges in the ledger: ${chargedInLedger}; charges of completed tasks: ${charged}`]),
    ...(sums?.held === sums?.account_held
      ? []
      : [`holds of accounts: ${sums?.account_held}; holds of open tasks: ${sums?.held}`]),
  ])
  addViolations(
    'failed tasks that were charged',
    idsOf(endedTasks.filter((task) => task.status === 'failed' && Number(task.charged) !== 0)),
  )

  const failed: Record<string, number> = {}
  for (const { status, error_code } of endedTasks) {
    if (status === 'failed') failed[error_code ?? ''] = (failed[error_code ?? ''] ?? 0) + 1
  }
  return {
    violationCounts,
    figures: {
      tasks: tasks.length,
      completed: completed.length,
      failed,
      stillRunning: tasks.length - endedTasks.length,
      attempts: attempts.length,
      upstreamJobs: installation.upstreams.reduce((sum, { jobs }) => sum + jobs.list().length, 0),
      unresolvedAttempts: attempts.filter(({ unresolved, closing }) => unresolved !== null && closing === null).length,
      chargedCredits: charged / microCredits,
      files: objects.length,
      inFlight: Object.fromEntries(installation.upstreams.map((upstream) => [upstream.name, peakInFlight(upstream)])),
      submitsByRoute: Object.fromEntries(
        trialRoutes.map(({ name, upstream, upstreamModel }) => {
          const isOfRoute = ({ submit }: MatchedSubmit): boolean =>
            submit.job !== null && submit.upstream === upstream && submit.model === upstreamModel
          return [name, submits.filter(isOfRoute).length]
        }),
      ),
      refusals: { refusals: early.refusals, checked: early.checked },
      events: {
        accepted: receivers.accepted.length,
        repeated: receivers.accepted.length - new Set(receivers.accepted.map(deliveryOf)).size,
        failedRequests: Object.entries(receivers.countByOutcome)
          .filter(([outcome]) => !outcome.endsWith(' accept') && !outcome.endsWith(' late'))
          .reduce((sum, [, requests]) => sum + requests, 0),
      },
      unsentSubmits: {
        total: unsentSubmits.total,
        duringNetworkFault: unsentSubmits.duringNetworkFault,
        interrupted: unsentSubmits.interrupted,
        interruptedMax: unsentSubmits.interruptedMax,
      },
    },
  }
}

/** Returns the peak number of jobs in flight after an accepted submit, with the limit. */
function peakInFlight({ submits, inFlightMax }: Installation['upstreams'][number]): string {
  const counts = submits.filter(({ job }) => job !== null).map(({ inFlight }) => inFlight.ofUpstream + 1)
  return `${counts.reduce((highest, count) => Math.max(highest, count), 0)} of ${inFlightMax}`
}

async function findIncorrectFiles(completed: readonly StoredTask[], { s3, bucket, upstreams }: Installation): Promise<string[]> {
  const incorrectFiles: string[] = []
  for (const { object_key, sha256, operation_id, no } of completed) {
    const producer = upstreams.find(({ jobs }) => operation_id !== null && jobs.find(operation_id) !== undefined)
    const expectedSha256 = operation_id === null ? undefined : producer?.jobs.videoSha256Of(operation_id)
    const storedDigest = object_key === null ? null : await sha256OfFile(s3.pathOf(bucket, s3KeyOf(object_key)))
    if (expectedSha256 === undefined || sha256 !== expectedSha256 || storedDigest !== expectedSha256)
      incorrectFiles.push(`${no}: ${operation_id}, stored as ${object_key}`)
  }
  return incorrectFiles
}

function s3KeyOf(objectKey: string): string {
  const [name = ''] = objectKey.split('.')
  return `${name.slice(-4, -2)}/${name.slice(-2)}/${objectKey}`
}

async function sha256OfFile(file: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
    return hash.digest('hex')
  } catch {
    return null
  }
}

async function findLedgerDifferences({ processes, adminKey }: Installation): Promise<string[]> {
  const response = await fetch(`${processes[0]?.baseUrl}/admin/v1/credits/verify`, {
    headers: { authorization: `Bearer ${adminKey}` },
  })
  const { differences: found, ...rest } = (await response.json()) as { differences?: number }
  if (!response.ok) return [`verify got HTTP ${response.status}`]
  return Array.from({ length: found ?? 1 }, () => JSON.stringify(rest).slice(0, 300))
}

function findDuplicates(ids: readonly string[]): string[] {
  const distinctIds = new Set<string>()
  return ids.filter((id) => distinctIds.size === distinctIds.add(id).size)
}
