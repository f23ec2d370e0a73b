import { describe, expect, it } from 'vitest'
import { isLongRun } from '../packages/server/src/db/store-under-test.ts'
import { upstreamDrivers } from '../packages/server/src/drivers/upstream-drivers.ts'
import { chaosSkipReason } from './chaos/installation.ts'
import type { KnownTask } from './chaos/clients.ts'
import { findEarlySubmits } from './chaos/early-submits.ts'
import type { FaultKind, FaultPeriod } from './chaos/faults.ts'
import type { AcceptedEvent, ReceiverName } from './chaos/faulty-receivers.ts'
import type { Submit } from './chaos/faulty-upstream.ts'
import { checkEvents, type EndedTask } from './chaos/check-events.ts'
import { checkJobs, attemptName, type StoredAttempt } from './chaos/check-jobs.ts'
import { matchSubmits, type MatchedSubmit } from './chaos/match-submits.ts'
import { findUnsentSubmits } from './chaos/unsent-submits.ts'
import { webhookReceivers } from './chaos/create-webhooks.ts'
import { findSubmitsOverLimit } from './chaos/over-limit.ts'
import { Random } from './chaos/random.ts'
import { firstRoutesFor, parametersFor, trialModels, trialRoutes, trialUpstreams } from './chaos/routing.ts'
import { runChaos } from './chaos/run-chaos.ts'
import { findSentAfterCancel } from './chaos/sent-after-cancel.ts'
import { findStarvedTasks } from './chaos/starved-tasks.ts'
import { UpstreamJobs, type UpstreamJob } from './chaos/upstream-jobs.ts'
import { keyedProtocol, keylessProtocol } from './chaos/upstream-protocols.ts'

if (chaosSkipReason !== null && process.env['CI'] === 'true') throw new Error(`the chaos test must run in CI: ${chaosSkipReason}`)

describe.skipIf(chaosSkipReason !== null)(chaosSkipReason === null ? 'chaos' : `chaos (skipped: ${chaosSkipReason})`, () => {
  it('the chaos test with thirteen faults finds no violation', { timeout: 240_000 }, async () => {
    const messages: string[] = []
    const report = await runChaos({
      faultCount: 13,
      taskCount: isLongRun ? 300 : 150,
      seed: 1,
      secondsMax: 60,
      everyMs: isLongRun ? 1_200 : 800,
      openMax: isLongRun ? 4 : 2,
      steadySeconds: isLongRun ? 8 : 4,
      drainTimeoutSeconds: 120,
      isShort: true,
      signal: new AbortController().signal,
      report: (message) => messages.push(message),
    })
    const violations = report.violationCounts.filter(({ count }) => count > 0)
    expect(violations, messages.join('\n')).toEqual([])
    expect(report.faultCount).toBeGreaterThan(0)
    expect(report.figures.completed).toBeGreaterThan(0)
    expect(report.figures.completed).toBeLessThanOrEqual(report.figures.files)
  })
})

const attempt: StoredAttempt = {
  taskId: 'task_1',
  key: 'a',
  number: '1',
  state: 'succeeded',
  route: 'k-north',
  startedAtMs: 0,
  begunFence: 1,
  endedAtMs: 1_000,
  operation_id: null,
  unresolved: null,
  closing: null,
}
const openUpstream = (protocol = keyedProtocol) => {
  const jobs = new UpstreamJobs(protocol.jobPrefix, Buffer.from('video'), new Random(1))
  const name = protocol === keyedProtocol ? 'north' : 'east'
  return { jobs, upstreams: [{ name, protocol, jobs }] }
}
const violationNames = (violations: Record<string, string[]>) =>
  Object.entries(violations).flatMap(([name, descriptions]) => (descriptions.length > 0 ? [name] : []))

describe('the comparison of attempts with upstream jobs', () => {
  it('checkJobs reports nothing when each job belongs to its attempt', () => {
    const { jobs, upstreams } = openUpstream()
    const { id } = jobs.accept('a', 'task_1_1')
    expect(violationNames(checkJobs([{ ...attempt, operation_id: id }], upstreams))).toEqual([])
  })

  it('checkJobs reports a job whose id the service never stored, unless its attempt is on the list of unresolved attempts', () => {
    const { jobs, upstreams } = openUpstream()
    jobs.accept('a', 'task_1_1')
    const unstored = { ...attempt, state: 'failed' }
    const unknown = ['jobs that belong to no attempt']
    expect(violationNames(checkJobs([unstored], upstreams))).toEqual(unknown)
    expect(violationNames(checkJobs([{ ...unstored, unresolved: 'lost_reply', closing: 'never_started' }], upstreams))).toEqual(
      unknown,
    )
    expect(violationNames(checkJobs([{ ...unstored, unresolved: 'lost_reply' }], upstreams))).toEqual([])
  })

  it('checkJobs reports a second job of one attempt at an upstream without idempotency keys', () => {
    const { jobs, upstreams } = openUpstream(keylessProtocol)
    const { id } = jobs.accept('a', null)
    jobs.accept('a', null)
    expect(violationNames(checkJobs([{ ...attempt, route: 'k-east', operation_id: id }], upstreams))).toEqual([
      'jobs that belong to no attempt',
    ])
  })

  it('checkJobs reports a job of two attempts, and an operation without a job', () => {
    const { jobs, upstreams } = openUpstream()
    const { id } = jobs.accept('a', 'task_1_1')
    const twice = [
      { ...attempt, operation_id: id },
      { ...attempt, number: '2', operation_id: id },
    ]
    expect(violationNames(checkJobs(twice, upstreams))).toEqual(['attempts with two jobs, jobs with two attempts'])
    expect(violationNames(checkJobs([{ ...attempt, operation_id: 'made up' }], openUpstream().upstreams))).toEqual([
      'operations without a job',
    ])
  })

  it('checkJobs reports a succeeded job that was not charged and is not on the list of unresolved attempts', () => {
    const { jobs, upstreams } = openUpstream()
    const job = jobs.accept('a', 'task_1_1')
    Object.assign(job, { plannedOutcome: 'succeeded', endsAtMs: 0 })
    const failed = { ...attempt, state: 'failed', operation_id: job.id }
    expect(violationNames(checkJobs([failed], upstreams))).toEqual(['succeeded jobs without a charge or an unresolved attempt'])
    expect(violationNames(checkJobs([{ ...failed, unresolved: 'late' }], upstreams))).toEqual([])
  })
})

/** Creates an attempt on a route. Each number stands for a different task. */
function attemptAt(no: number, route: string, startedAtMs: number, endedAtMs: number | null): StoredAttempt {
  return { ...attempt, taskId: `task_${no}`, key: `chaos ${no}`, route, startedAtMs, endedAtMs }
}

/**
 * Creates the maximum number of concurrent attempts on a route: the limit of the route, or else
 * that of its upstream.
 */
function attemptsFilling(name: string, startedAtMs: number, endedAtMs: number | null): StoredAttempt[] {
  const route = trialRoutes.find((route) => route.name === name)
  const upstreamMax = trialUpstreams.find((upstream) => upstream.name === route?.upstream)?.inFlightMax
  const length = route?.inFlightMax ?? upstreamMax ?? 0
  return Array.from({ length }, (_, no) => attemptAt(no + 200, name, startedAtMs, endedAtMs))
}

/** Creates the submit of an attempt, accepted at `arrivedAtMs`. */
function submitOf(sender: StoredAttempt, arrivedAtMs: number, changes: Partial<Submit> = {}): MatchedSubmit {
  const route = trialRoutes.find(({ name }) => name === sender.route)
  const upstream = route?.upstream ?? ''
  const model = route?.upstreamModel ?? ''
  const key = upstream === 'north' ? attemptName(sender) : null
  const prompt = sender.key ?? ''
  const job: UpstreamJob = {
    id: `job of ${attemptName(sender)}`,
    key,
    model,
    prompt,
    state: 'running',
    acceptedAtMs: arrivedAtMs,
    endsAtMs: arrivedAtMs + 4_000,
    plannedOutcome: 'succeeded',
  }
  const submit: Submit = {
    upstream,
    model,
    key,
    prompt,
    connectedAtMs: arrivedAtMs,
    isReused: false,
    arrivedAtMs,
    outcome: 'respond',
    isRepeat: false,
    job,
    inFlight: { ofUpstream: 0, ofModel: 0 },
    refusal: null,
    ...changes,
  }
  return { submit, attempt: sender }
}

const faultAt = (kind: FaultKind, fromMs: number, untilMs: number): FaultPeriod => ({ kind, fromMs, untilMs })

describe('the routes of the chaos test', () => {
  it('chaos routes refuse exactly the parameters that their drivers refuse', () => {
    for (const route of trialRoutes) {
      const driver = upstreamDrivers.find(
        ({ name }) => name === trialUpstreams.find((upstream) => upstream.name === route.upstream)?.protocol.driver,
      )
      const model = trialModels.find(({ id }) => id === route.model)
      if (driver === undefined || model === undefined) throw new Error(`${route.name} names no known driver or model`)
      const target = { baseUrl: '', model: route.upstreamModel, parameters: {}, extra: {}, workflow: null, slots: {} }
      for (const special of [null, ...model.parameters]) {
        const parameters = { prompt: 'a', aspect_ratio: '16:9', resolution: '720p', ...parametersFor(model, special) }
        const refusal = driver.refuse(
          { model: model.id, object: 'video', size: { width: 1280, height: 720 }, parameters },
          target,
        )
        const isRefused = special !== null && route.refuses.includes(special)
        expect(refusal?.parameter ?? null, `${route.name} asked for ${special}`).toBe(isRefused ? special : null)
      }
    }
  })

  it('chaos routes serve every request of every model', () => {
    for (const { id, parameters } of trialModels) {
      for (const special of [null, ...parameters]) expect(firstRoutesFor(id, special), `${id} with ${special}`).not.toEqual([])
    }
  })
})

describe('the match of submits with attempts', () => {
  it('matchSubmits finds an attempt by its key, its operation, or the prompt and the time', () => {
    const keyed = attemptAt(1, 'k-north', 0, 9_000)
    const [firstAttempt, secondAttempt] = [attemptAt(2, 'k-east', 0, 100), { ...attemptAt(2, 'k-east', 500, 9_000), number: '2' }]
    const keylessAttempt = { ...attemptAt(3, 'k-east', 0, 9_000), operation_id: 'job of task_3_1' }
    const submits = [submitOf(keyed, 50), submitOf(firstAttempt, 60), submitOf(secondAttempt, 600), submitOf(keylessAttempt, 700)]
    const matched = matchSubmits(
      submits.map(({ submit }) => submit),
      [keyed, firstAttempt, secondAttempt, keylessAttempt],
    )
    expect(matched.map((match) => match.attempt)).toEqual([keyed, firstAttempt, secondAttempt, keylessAttempt])
  })
})

describe('the count of submits over a limit', () => {
  const fillingAttempts = attemptsFilling('b-east', 0, 5_000)
  const earlierSubmits = fillingAttempts.map((attempt) => submitOf(attempt, 100))
  const [firstFilling = attempt, ...others] = fillingAttempts
  const oneMore = attemptAt(99, 'b-east', 150, 9_000)

  it('a submit to a route at its limit counts as over the limit', () => {
    expect(findSubmitsOverLimit([...earlierSubmits, submitOf(oneMore, 200)])).toHaveLength(1)
  })

  it('a submit to an upstream at its limit counts as over the limit', () => {
    const submits = attemptsFilling('k-east', 0, 5_000).map((filling) => submitOf(filling, 100))
    expect(findSubmitsOverLimit(submits)).toEqual([])
    expect(findSubmitsOverLimit([...submits, submitOf(oneMore, 200)])).toHaveLength(1)
  })

  it('jobs that have ended upstream, and jobs of abandoned attempts, do not count toward the limit', () => {
    expect(findSubmitsOverLimit([...earlierSubmits, submitOf(oneMore, 5_000)])).toEqual([])
    const abandonedAttempt = { ...firstFilling, endedAtMs: 190, unresolved: 'lost_reply' }
    const submits = [submitOf(abandonedAttempt, 100), ...others.map((filling) => submitOf(filling, 110))]
    expect(findSubmitsOverLimit([...submits, submitOf(oneMore, 200)])).toEqual([])
  })

  it('jobs that continue upstream after a cancel count toward the limit', () => {
    const continuingAttempt = { ...firstFilling, endedAtMs: 190, operation_id: 'job of task_1_1', unresolved: 'overdue' }
    const submits = [submitOf(continuingAttempt, 100), ...others.map((filling) => submitOf(filling, 110))]
    expect(findSubmitsOverLimit([...submits, submitOf(oneMore, 200)])).toHaveLength(1)
  })

  it('a submit that was not accepted, or that was delayed until its attempt had ended, is not over the limit', () => {
    expect(findSubmitsOverLimit([...earlierSubmits, submitOf({ ...oneMore, endedAtMs: 199 }, 200)])).toEqual([])
    expect(findSubmitsOverLimit([...earlierSubmits, submitOf(oneMore, 200, { job: null, outcome: 'reset_before' })])).toEqual([])
  })
})

describe('the count of submits before Retry-After has passed', () => {
  const refusal = { retryAfterMs: 2_000, sendingStartedAtMs: 100, sentAtMs: 101 }
  const refused = submitOf({ ...attemptAt(1, 'k-east', 50, 120), state: 'not_accepted' }, 90, { job: null, refusal })
  const nextSubmit = (startedAtMs: number, arrivedAtMs: number): MatchedSubmit =>
    submitOf(attemptAt(2, 'k-east', startedAtMs, 9_000), arrivedAtMs)

  it('a submit of an attempt that started after a recorded refusal counts as too early', () => {
    expect(findEarlySubmits([refused, nextSubmit(800, 820)], [])).toMatchObject({
      found: [expect.any(String)],
      refusals: 1,
      checked: 1,
    })
  })

  it('a submit is not too early if it was sent before the refusal or after the pause, used another route, or repeats an earlier submit', () => {
    for (const submit of [nextSubmit(110, 820), nextSubmit(300, 320), nextSubmit(2_050, 2_090)]) {
      expect(findEarlySubmits([refused, submit], []).found).toEqual([])
    }
    expect(findEarlySubmits([refused, submitOf(attemptAt(2, 's-east', 800, 9_000), 820)], []).found).toEqual([])
    const lookUp = submitOf(attemptAt(2, 'k-east', 800, 9_000), 820, { isRepeat: true })
    expect(findEarlySubmits([refused, lookUp], []).found).toEqual([])
  })

  it('a submit is not too early if the service may not have received or recorded the refusal', () => {
    const unknown = submitOf(attemptAt(1, 'k-east', 50, null), 90, { job: null, refusal })
    const unsent = submitOf(attemptAt(1, 'k-east', 50, 120), 90, { job: null, refusal: { ...refusal, sentAtMs: null } })
    expect(findEarlySubmits([unknown, nextSubmit(800, 820)], [])).toEqual({ found: [], refusals: 1, checked: 0 })
    expect(findEarlySubmits([unsent, nextSubmit(800, 820)], [])).toEqual({ found: [], refusals: 0, checked: 0 })
    expect(findEarlySubmits([refused, nextSubmit(800, 820)], [faultAt('database stall', 0, 700)]).found).toEqual([])
  })
})

const waitingTask: KnownTask = {
  key: 'chaos 1',
  account: 'one',
  model: 'sd_2.5_discount_v1',
  special: null,
  hasWebhook: false,
  acceptedAtMs: 1_000,
  cancelledAtMs: null,
  ids: new Set(['task_1']),
  status: 'queued',
  errorCode: null,
  sha256: null,
}

describe('the count of starved tasks', () => {
  const faultFreePeriod = { fromMs: 0, untilMs: 60_000 }
  const run = { faultFreePeriod, faults: [] }
  const provingAttempt = attemptAt(9, 'd-north', 2_500, 4_000)
  const provingSubmit = submitOf(provingAttempt, 2_600)
  function findStarved(task: KnownTask, attempts: StoredAttempt[], submits = [provingSubmit]): string[] {
    return findStarvedTasks([task], [provingAttempt, ...attempts], submits, run)
  }

  /**
   * Checks a task that was accepted before the period, and whose first attempt was sent at
   * `begunAtMs`.
   */
  function findStarvedSince(begunAtMs: number, begunFence: number, faults: FaultPeriod[]): string[] {
    const task = { ...waitingTask, acceptedAtMs: -9_000 }
    const begun = { ...attemptAt(1, 'd-north', begunAtMs, 50_000), begunFence }
    return findStarvedTasks([task], [provingAttempt, begun], [provingSubmit], { faultFreePeriod, faults })
  }

  it('a task that waits although its route has a free slot counts as starved', () => {
    expect(findStarvedTasks([waitingTask], [provingAttempt], [provingSubmit], run)).toHaveLength(1)
    expect(
      findStarvedTasks([waitingTask], [provingAttempt, attemptAt(1, 'd-north', 20_000, 22_000)], [provingSubmit], run),
    ).toHaveLength(1)
  })

  it('a task that waits although its route is unused and the upstream accepts submits counts as starved', () => {
    const otherAttempt = attemptAt(9, 'k-north', 2_500, 4_000)
    expect(findStarvedTasks([waitingTask], [otherAttempt], [submitOf(otherAttempt, 2_600)], run)).toHaveLength(1)
    const refused = { ...attemptAt(8, 'd-north', 100, 200), state: 'not_accepted' }
    expect(findStarvedTasks([waitingTask], [refused, otherAttempt], [submitOf(otherAttempt, 2_600)], run)).toEqual([])
  })

  it('if a task was claimed by a process that was killed, only its wait after the end of that lease counts', () => {
    const faults = [faultAt('kill', -8_000, -7_000)]
    expect(findStarvedSince(22_300, 2, faults)).toEqual([])
    expect(findStarvedSince(22_300, 1, faults)).toHaveLength(1)
    expect(findStarvedSince(22_300, 2, [])).toHaveLength(1)
    expect(findStarvedSince(22_300, 2, [faultAt('kill', -12_000, -10_000)])).toHaveLength(1)
    expect(findStarvedSince(32_100, 2, faults)).toHaveLength(1)
  })

  it('if no upstream receives a submit, a waiting task counts as starved after 100 seconds', () => {
    expect(findStarvedTasks([waitingTask], [], [], { ...run, faultFreePeriod: { fromMs: 0, untilMs: 99_000 } })).toEqual([])
    expect(findStarvedTasks([waitingTask], [], [], { ...run, faultFreePeriod: { fromMs: 0, untilMs: 101_000 } })).toHaveLength(1)
  })

  it('a task is not starved if it has started, was cancelled, was not accepted, or if its routes are full or received no submit', () => {
    expect(findStarved(waitingTask, [attemptAt(1, 'd-north', 9_000, 12_000)])).toEqual([])
    expect(findStarved({ ...waitingTask, cancelledAtMs: 5_000 }, [])).toEqual([])
    expect(findStarved({ ...waitingTask, acceptedAtMs: null }, [])).toEqual([])
    expect(findStarved(waitingTask, [], [])).toEqual([])
    expect(findStarved(waitingTask, attemptsFilling('d-north', 2_000, null))).toEqual([])
    expect(findStarved(waitingTask, attemptsFilling('k-north', 2_000, null))).toEqual([])
  })

  it('a task counts as starved if a full route serves only tasks of other accounts', () => {
    const otherTasks = Array.from({ length: 12 }, (_, no): KnownTask => ({
      ...waitingTask,
      key: `chaos ${no + 10}`,
      account: 'two',
    }))
    const fillingAttempts = attemptsFilling('d-north', 0, null)
    const served = otherTasks.map((_, no) => attemptAt(no + 10, 'd-north', 3_000 + no, 4_000))
    const starved = findStarvedTasks([waitingTask, ...otherTasks], [...fillingAttempts, ...served], [provingSubmit], run)
    expect(starved).toHaveLength(1)
    const sameAccountTask = { ...waitingTask, key: 'chaos 90' }
    const allAttempts = [...fillingAttempts, ...served, attemptAt(90, 'd-north', 5_000, 6_000)]
    expect(findStarvedTasks([waitingTask, sameAccountTask, ...otherTasks], allAttempts, [provingSubmit], run)).toEqual([])
  })
})

function sentAt(connectedAtMs: number, changes: Partial<Submit> = {}, route = 'k-east'): MatchedSubmit {
  return submitOf(attemptAt(1, route, 9_000, 10_000), connectedAtMs, { connectedAtMs, ...changes })
}

describe('the count of submits of cancelled tasks', () => {
  const cancelled = { ...waitingTask, cancelledAtMs: 10_000 }

  it('a submit more than two seconds after a confirmed cancel counts as sent after the cancel', () => {
    expect(findSentAfterCancel([sentAt(12_500)], [cancelled], [])).toHaveLength(1)
    expect(findSentAfterCancel([sentAt(12_500, {}, 'k-north')], [cancelled], [])).toHaveLength(1)
  })

  it('submits in flight, submits of other tasks, look-ups, and submits that a fault delayed do not count as sent after the cancel', () => {
    expect(findSentAfterCancel([sentAt(11_500)], [cancelled], [])).toEqual([])
    expect(findSentAfterCancel([sentAt(9_500, { arrivedAtMs: 15_000 })], [cancelled], [])).toEqual([])
    expect(findSentAfterCancel([sentAt(12_500)], [waitingTask], [])).toEqual([])
    expect(findSentAfterCancel([sentAt(12_500, { isRepeat: true }, 'k-north')], [cancelled], [])).toEqual([])
    expect(findSentAfterCancel([sentAt(12_500)], [cancelled], [faultAt('pause', 9_000, 12_400)])).toEqual([])
    const kill = faultAt('kill', 9_100, 9_900)
    expect(findSentAfterCancel([sentAt(12_500, {}, 'k-north')], [cancelled], [kill])).toEqual([])
    expect(findSentAfterCancel([sentAt(12_500)], [cancelled], [kill])).toHaveLength(1)
  })
})

describe('the count of abandoned attempts that were never sent', () => {
  const lostAttempt = { ...attemptAt(1, 'k-east', 10_000, 40_000), state: 'failed', unresolved: 'lost_reply' }

  it('an abandoned attempt without a submit counts as never sent if no fault explains it', () => {
    expect(findUnsentSubmits([lostAttempt], [], [faultAt('kill', 20_000, 21_000)])).toMatchObject({
      found: [expect.any(String)],
      total: 1,
    })
  })

  it('an attempt does not count as never sent if its submit arrived, a fault cut it off, or a kill explains it (one attempt per kill)', () => {
    expect(findUnsentSubmits([lostAttempt], [submitOf(lostAttempt, 10_010)], [])).toMatchObject({ found: [], total: 0 })
    expect(findUnsentSubmits([lostAttempt], [], [faultAt('upstream cut', 10_005, 10_005)])).toMatchObject({
      found: [],
      total: 1,
      duringNetworkFault: 1,
    })
    const kill = faultAt('kill', 10_005, 12_000)
    expect(findUnsentSubmits([lostAttempt], [], [kill])).toMatchObject({ found: [], interrupted: 1, interruptedMax: 1 })
    const otherAttempt = { ...lostAttempt, taskId: 'task_2' }
    expect(findUnsentSubmits([lostAttempt, otherAttempt], [], [kill]).found).toHaveLength(1)
  })
})

describe('the comparison of accepted events with ended tasks', () => {
  const task: EndedTask = { id: 'task_1', account: 'one', status: 'completed', hasWebhook: false }
  const event: AcceptedEvent = {
    account: 'one',
    receiver: 'steady',
    eventId: 'evt_1',
    type: 'task.completed',
    taskId: 'task_1',
    link: 'http://127.0.0.1/media/task_1.mp4?expires=1',
    atMs: 1_000,
  }
  const acceptedBy = (receiver: ReceiverName, changes: Partial<AcceptedEvent> = {}): AcceptedEvent => ({
    ...event,
    receiver,
    ...changes,
  })
  const all = webhookReceivers.map((receiver) => acceptedBy(receiver))

  it('checkEvents reports nothing when each receiver has accepted the event of each task', () => {
    expect(violationNames(checkEvents([task], all, []))).toEqual([])
    expect(violationNames(checkEvents([{ ...task, hasWebhook: true }], [...all, acceptedBy('tasks')], []))).toEqual([])
  })

  it('an event that one receiver has not accepted counts as lost', () => {
    expect(checkEvents([task], all.slice(1), [])['events that are lost']).toHaveLength(1)
    expect(checkEvents([{ ...task, hasWebhook: true }], all, [])['events that are lost']).toEqual([
      'one/tasks task.completed task_1',
    ])
  })

  it('each fault of a process or the database between two deliveries of an event explains one duplicate', () => {
    const repeated = [...all, acceptedBy('steady', { atMs: 5_000 })]
    const kill = faultAt('kill', 2_000, 2_500)
    const longBefore = faultAt('kill', -20_000, -19_000)
    expect(violationNames(checkEvents([task], repeated, []))).toEqual(['events that were repeated without a fault'])
    for (const fault of [longBefore, faultAt('kill', 6_000, 7_000)]) {
      expect(violationNames(checkEvents([task], repeated, [fault]))).toHaveLength(1)
    }
    expect(violationNames(checkEvents([task], repeated, [faultAt('bucket cut', 2_000, 2_500)]))).toHaveLength(1)
    expect(violationNames(checkEvents([task], repeated, [kill]))).toEqual([])
    expect(violationNames(checkEvents([task], [...repeated, acceptedBy('steady', { atMs: 6_000 })], [kill]))).toHaveLength(1)
  })

  it.each([
    ['events with several ids', acceptedBy('steady', { eventId: 'evt_2', atMs: 5_000 })],
    ['events of an unknown task or of another account', acceptedBy('steady', { account: 'two' })],
    ['events of an unknown task or of another account', acceptedBy('steady', { taskId: 'task_9', link: null })],
    ['events that contradict the task', acceptedBy('steady', { type: 'task.failed' })],
    ['events for an address that their task does not name', acceptedBy('tasks')],
    [
      'events with a link to the file of another task',
      acceptedBy('steady', { link: 'http://127.0.0.1/media/task_2.mp4', atMs: 5_000 }),
    ],
  ])('%s are reported', (name, wrong) => {
    expect(violationNames(checkEvents([task], [...all, wrong], [faultAt('kill', 2_000, 2_500)]))).toContain(name)
  })
})
