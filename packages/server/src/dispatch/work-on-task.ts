import type { Simulation } from '@framegate/contract'
import type { Claim, Failure, Store } from '../db/store.ts'
import type { GenerationParameters, Job, NotAccepted, Operation } from '../drivers/driver.ts'
import type { Logger } from '../lib/logger.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { Route } from '../routing/route.ts'
import type { Routes } from '../routing/routes.ts'
import type { Collector } from './collect-result.ts'
import { failTask } from './end-task.ts'
import { finishAttempt } from './finish-attempt.ts'
import type { ModelFacts } from './model-facts.ts'
import { readPatiently } from './read-patiently.ts'
import { runAttempt, type AttemptEnd } from './run-attempt.ts'
import type { RunningTask } from './running-task.ts'
import type { StepTools } from './take-step.ts'
import type { UnresolvedAttempts } from './unresolved-attempts.ts'

const attemptsMax = 3
/** Where nothing was taken on, and so nothing paid. */
const refusedAttemptsMax = 6
const retryDelayMs = 1_000
/** A task that was taken up again this often takes its worker down each time. */
const takenUpMax = 100

export interface TaskTools extends StepTools {
  store: Store
  routes: Pick<Routes, 'routeOf' | 'revive' | 'another' | 'embedded'>
  unresolved: Pick<UnresolvedAttempts, 'close' | 'lostReply'>
  /** Undefined when the catalogue no longer has the model. */
  modelFacts(modelId: string): ModelFacts | undefined
  collector: Collector
  logger: Logger
  /** How long after each other an upstream is asked for a job whose submit it has not answered. */
  findAfterMs: readonly number[]
}

/** A task with what is known of its model. */
export interface TaskAtWork {
  running: RunningTask
  job: Job
  facts: ModelFacts
  route: Route
}

type StoredParameters = GenerationParameters & { simulate?: Simulation }

/** Carries a claimed task to its end, or to where somebody else goes on with it. `onSimulated`: it takes no place after all. */
export async function workOnTask(running: RunningTask, tools: TaskTools, onSimulated: () => void): Promise<void> {
  const { store, clock } = tools
  const { claim } = running
  // It may have been cancelled between the commit of the claim and now.
  const task = await readPatiently(running, () => store.find(claim.id))
  if (task === null) return stoppedBefore(running, tools)
  if (task === undefined || task.endedAtMs !== null) {
    if (!running.attempt.resumed) await neverStarted(running, tools)
    return
  }
  const facts = tools.modelFacts(claim.task.model)
  if (facts === undefined) {
    await failTask(running, tools, { code: 'upstream_failed', message: 'The model is no longer offered.' })
    return
  }
  if (claim.fence - claim.attempt.number > takenUpMax) {
    await failTask(running, tools, { code: 'upstream_failed', message: `The generation was interrupted ${takenUpMax} times.` })
    return
  }
  const { simulate = null, ...parameters } = parametersOf(claim)
  running.isSimulated = simulate !== null
  if (running.isSimulated) onSimulated()

  const tried = new Set<Route>()
  while (running.stopReason === null) {
    const job = jobOf(running, facts, parameters, simulate)
    const route = await chooseRoute(running, job, tools, tried)
    if (route === undefined) return
    // An attempt that is made anew has its whole time; one that an upstream works on has what is left of it.
    const startedAtMs = route.driver.startsAgainFreely ? clock() : running.attempt.startedAtMs
    const deadline = setTimeout(
      () => running.stop('deadline'),
      Math.max(0, startedAtMs + deadlineMsOf(route, facts, simulate) - clock()),
    )
    try {
      const attemptEnd = await runAttempt(running, job, { ...tools, route })
      if (attemptEnd.kind !== 'not_accepted') return await endWith(attemptEnd, { running, job, facts, route }, tools)
      tried.add(route)
      if (!(await tryElsewhere(attemptEnd.error, { running, job, facts, route }, tools, tried))) {
        return running.stopReason === 'ended' ? neverStarted(running, tools) : undefined
      }
    } finally {
      clearTimeout(deadline)
    }
  }
  if (running.stopReason === 'ended' && !running.attempt.resumed) await neverStarted(running, tools)
  return stopped({ running, job: jobOf(running, facts, parameters, simulate), facts, route: tools.routes.embedded }, null, tools)
}

/** Nothing of this attempt has been asked of anyone here. */
async function stoppedBefore(running: RunningTask, tools: TaskTools): Promise<void> {
  if (running.stopReason === 'closing') await tools.store.release([running.claim])
  else if (running.stopReason === 'ended' && !running.attempt.resumed) await neverStarted(running, tools)
}

/** Its task has ended meanwhile, and surely nothing was taken on: nobody has to look at it. */
async function neverStarted({ claim, attempt }: RunningTask, { unresolved }: TaskTools): Promise<void> {
  await unresolved.close(claim.id, attempt.number, 'never_started')
}

function jobOf(running: RunningTask, facts: ModelFacts, parameters: GenerationParameters, simulate: Simulation | null): Job {
  const { model, object } = running.claim.task
  return { attemptId: running.attemptId, model, object, size: facts.size(parameters), parameters, simulate }
}

function deadlineMsOf({ settings }: Route, { deadlineMs }: ModelFacts, simulate: Simulation | null): number {
  if (simulate?.deadline_seconds !== undefined) return simulate.deadline_seconds * 1000
  return settings.deadlineMs ?? deadlineMs
}

/**
 * The route of the attempt, unless the job is a simulation, which never reaches a provider, or asks for what that route cannot do while
 * another can. Undefined when the work has ended here.
 */
async function chooseRoute(running: RunningTask, job: Job, tools: TaskTools, tried: Set<Route>): Promise<Route | undefined> {
  const { routes, clock, logger } = tools
  const { attempt } = running
  const inUse = routes.routeOf(job.model, attempt.frozenNo)
  const own = inUse ?? (await readPatiently(running, () => routes.revive(attempt.frozenNo)))
  if (own === null) {
    await stoppedBefore(running, tools)
    return undefined
  }
  if (own === undefined) {
    logger.error({ frozenRoute: attempt.frozenNo }, 'the route of an attempt cannot be used any more')
    const lost: Failure = { code: 'lost_upstream', message: 'The generation was started and cannot be followed any more.' }
    await failTask(running, tools, lost, { unresolved: 'lost_reply', detail: 'the route is gone' })
    return undefined
  }
  if (attempt.resumed) return enter(own, running, clock())
  if (job.simulate !== null) return own === routes.embedded ? own : change(routes.embedded, running, tools)
  const refusal = own.settings.refuse(job)
  if (refusal === null) return enter(own, running, clock())
  tried.add(own)
  const other = routes.another(job.model, job, tried)
  if (other !== undefined) return change(other, running, tools)
  await failTask(running, tools, { code: 'invalid_input', message: `${refusal.message}.` })
  return undefined
}

async function change(route: Route, running: RunningTask, { store, clock }: TaskTools): Promise<Route | undefined> {
  const { name, frozenNo } = { name: route.name, frozenNo: route.settings.frozenNo }
  if (!(await store.changeRoute(running.claim, { route: name, frozenNo }))) running.stop('lease_lost')
  running.attempt = { ...running.attempt, route: name, frozenNo }
  return enter(route, running, clock())
}

function enter(route: Route, running: RunningTask, nowMs: number): Route {
  if (running.route !== route && !running.isSimulated) running.moveTo(route, nowMs)
  return route
}

/** Nothing was taken on: the next route is tried at once, or the task waits its turn again. False when this work is done. */
async function tryElsewhere(error: NotAccepted, at: TaskAtWork, tools: TaskTools, tried: Set<Route>): Promise<boolean> {
  const { store, routes, clock, logger } = tools
  const { running, job, route } = at
  const nowMs = clock()
  logger.warn({ why: error.why, detail: error.message }, 'an upstream did not take a task on')
  if (error.why === 'busy') {
    route.busy(nowMs, error.retryAfterMs)
    const reason = 'The upstream had no room.'
    await store.retryLater(running.claim, { state: 'not_accepted', reason, detail: error.message }, nowMs)
    return false
  }
  route.faulty(nowMs, error.scope)
  const ending = { state: 'failed', reason: 'The upstream could not be used.', detail: error.message } as const
  const { attempt } = running
  if (attempt.failedBefore + 1 >= refusedAttemptsMax) {
    const failure: Failure = { code: 'upstream_failed', message: 'No upstream could take the generation on.' }
    await failTask(running, tools, failure, { detail: error.message })
    return false
  }
  const other = routes.another(job.model, job, tried)
  if (other === undefined) {
    await store.retryLater(running.claim, ending, nowMs + retryDelayMs * 2 ** attempt.failedBefore)
    return false
  }
  const next = { route: other.name, frozenNo: other.settings.frozenNo }
  if (!(await store.nextAttempt(running.claim, attempt.number + 1, ending, next))) return false
  running.tryAgain(attempt.number + 1, next, nowMs)
  running.moveTo(other, nowMs)
  return true
}

type EndedAttempt = Exclude<AttemptEnd, { kind: 'not_accepted' }>

async function endWith(attemptEnd: EndedAttempt, at: TaskAtWork, tools: TaskTools): Promise<void> {
  const { store, clock } = tools
  const { running, route } = at
  switch (attemptEnd.kind) {
    case 'succeeded':
      if ((await finishAttempt(attemptEnd, at, tools)) === 'stopped') await stopped(at, attemptEnd.operation, tools)
      return
    case 'failed': {
      const { failure, detail, usage, mayRepeat } = attemptEnd
      if (mayRepeat && running.attempt.failedBefore + 1 < attemptsMax) {
        await store.retryLater(running.claim, { state: 'failed', reason: failure.message, detail }, clock() + retryDelayMs)
        return
      }
      const isKept = await failTask(running, tools, failure, { detail, cost: usage })
      return isKept || running.stopReason !== 'ended' ? undefined : neverStarted(running, tools)
    }
    case 'lost': {
      const message = 'The generation was started, but whether it was accepted is not known; it is not started again.'
      const note = { unresolved: route.driver.startsAgainFreely ? null : ('lost_reply' as const), detail: attemptEnd.detail }
      const isKept = await failTask(running, tools, { code: 'lost_upstream', message }, note)
      if (isKept || running.stopReason !== 'ended') return
      return tools.unresolved.lostReply(running.claim.id, running.attempt.number, attemptEnd.detail)
    }
    case 'stopped':
      return stopped(at, attemptEnd.operation, tools)
    default:
      return unreachable(attemptEnd)
  }
}

async function stopped({ running, job, route }: TaskAtWork, operation: Operation | null, tools: TaskTools): Promise<void> {
  const { driver } = route
  const cancel = async (): Promise<void> => {
    if (operation !== null) await driver.cancel?.(operation, job)
  }
  switch (running.stopReason) {
    case 'ended':
      return cancel()
    case 'deadline': {
      const failure: Failure = { code: 'upstream_timeout', message: 'The generation took longer than it may.' }
      await failTask(running, tools, failure, { unresolved: driver.startsAgainFreely ? null : 'overdue' })
      return cancel()
    }
    case 'closing':
      return tools.store.release([running.claim])
    case 'lease_lost':
      // An upstream's operation is the other worker's now. What runs in this process is only a waste, unless the other worker is
      // here too and goes on with it.
      return driver.startsAgainFreely && !running.isReplaced ? cancel() : undefined
    case null:
      throw new Error('the work stopped without a reason')
    default:
      return unreachable(running.stopReason)
  }
}

/** The pictures are stored apart from the parameters that everyone else reads. */
function parametersOf({ task, pictures }: Claim): StoredParameters {
  const parameters = JSON.parse(task.parameters) as StoredParameters
  return pictures === null ? parameters : { ...parameters, ...(JSON.parse(pictures) as GenerationParameters) }
}
