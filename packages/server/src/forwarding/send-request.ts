import { creditsError } from '../tasks/credits-error.ts'
import { noRoute } from '../tasks/require-route.ts'
import type { ForwardRoute } from '../db/forwarded-requests.ts'
import type { AttemptPools } from '../db/task-queue.ts'
import { NotAccepted } from '../drivers/driver.ts'
import { ForwardRefusal, type ForwardResponse } from '../drivers/forwarding.ts'
import { taskNoOf } from '../identity/task-id.ts'
import { AppError } from '../lib/app-error.ts'
import type { RouteConnection } from '../routing/connection.ts'
import type { Route } from '../routing/route.ts'
import { ForwardedResponse, UnusableResponse } from './forwarded-response.ts'
import type { SendRequestDependencies, PricedCall } from './forward-call.ts'
import { HeldRequest, type RequestListeners } from './held-request.ts'
import { capacityError } from './slot-wait-queue.ts'

/** A response for the client: its complete text, or a stream of its events. */
export type ClientReply =
  | { isStream: false; text: Buffer }
  /** If the client disconnects before the last event, the caller must call `events.return()`. */
  | { isStream: true; events: AsyncIterableIterator<Buffer> }

/** A route in whose slot pools the request holds slots. */
interface AcquiredRoute {
  route: Route
  snapshotNo: number
  pools: AttemptPools
}

type AcquireSlots = (route: ForwardRoute) => Promise<boolean>

/**
 * Tries one route after another until a response begins. Nothing has been sent to the client until
 * then, so the request can fail over to the next route. The credits are held only once.
 */
export async function sendRequest(
  dependencies: SendRequestDependencies,
  call: PricedCall,
  listeners: RequestListeners,
): Promise<ClientReply> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(deadlineExceeded()), call.model.limits.deadlineSeconds * 1000)
  let acquiredRoute: AcquiredRoute | undefined
  const heldRequest = new HeldRequest(
    {
      ...dependencies,
      ...listeners,
      onEnded: () => {
        clearTimeout(timer)
        if (acquiredRoute !== undefined) changeUsedCount(acquiredRoute, -1)
        dependencies.waitQueue.wakeNext((model, accountNo) => dependencies.routes.forwarding.hasFree(model, accountNo))
        listeners.onEnded()
      },
    },
    { no: taskNoOf(dependencies.nextTaskId()), ...call },
  )
  const search = { triedRoutes: new Set<Route>(), untilMs: performance.now() + dependencies.limits.slotWaitMs }
  try {
    acquiredRoute = await acquireRoute(dependencies, call, search, createAcquireSlots(dependencies, call, heldRequest))
    changeUsedCount(acquiredRoute, 1)
    for (;;) {
      const response = await tryRoute(dependencies, call, { acquired: acquiredRoute, held: heldRequest, deadline })
      if (!(response instanceof NotAccepted)) return response
      // A throttled route is paused, and this request may try the route again after the pause.
      if (response.reason !== 'throttled') search.triedRoutes.add(acquiredRoute.route)
      const nextRoute = await acquireRoute(dependencies, call, search, (route) =>
        dependencies.store.moveForwarded(heldRequest.no, route),
      )
      changeUsedCount(acquiredRoute, -1)
      changeUsedCount(nextRoute, 1)
      acquiredRoute = nextRoute
    }
  } catch (cause) {
    await heldRequest.release()
    throw cause
  }
}

/**
 * Returns a function that acquires the slots of a route and holds the credits in one commit. It
 * throws an `AppError` if the client's credits or limits do not permit the request.
 */
function createAcquireSlots(
  { store, owner, limits }: Pick<SendRequestDependencies, 'store' | 'owner' | 'limits'>,
  call: PricedCall,
  heldRequest: HeldRequest,
): AcquireSlots {
  const { principal, model, requestId, priceMicroCredits, priceNo } = call
  return async (route) => {
    heldRequest.mayBeHeld = true
    const outcome = await store.holdForwarded({
      no: heldRequest.no,
      requestId,
      owner,
      accountNo: principal.accountNo,
      keyNo: principal.keyNo,
      model: model.id,
      object: model.object,
      priceMicroCredits,
      priceNo,
      route,
      leaseMs: limits.leaseMs,
    })
    heldRequest.mayBeHeld = outcome.kind === 'held'
    switch (outcome.kind) {
      case 'held':
        return true
      case 'no_slot':
        return false
      case 'unavailable':
        if (outcome.mayBeHeld) heldRequest.releaseLater()
        throw new AppError('overloaded', 'The service cannot accept another request at the moment; try again shortly.')
      default:
        throw creditsError(outcome, priceMicroCredits, { subject: 'request' })
    }
  }
}

/**
 * Waits until a route has a free slot and `acquireSlots` has acquired the slot. Rejects with an
 * `AppError` if the model has no route, or if no slot is acquired in time.
 */
async function acquireRoute(
  { routes, waitQueue }: Pick<SendRequestDependencies, 'routes' | 'waitQueue'>,
  { model, clientSignal, request, principal: { accountNo } }: PricedCall,
  { triedRoutes, untilMs }: { triedRoutes: ReadonlySet<Route>; untilMs: number },
  acquireSlots: AcquireSlots,
): Promise<AcquiredRoute> {
  const waitingRequest = { accountNo, model: model.id, bytes: request.bytes }
  let queueEntry: Disposable | undefined
  let excludedRoutes = new Set(triedRoutes)
  try {
    for (;;) {
      const route = routes.forwarding.choose(model.id, accountNo, excludedRoutes)
      if (typeof route !== 'string') {
        const { snapshotNo, pools } = forwardRouteOf(route)
        if (await acquireSlots({ snapshotNo, pools })) {
          return { route, snapshotNo, pools: { route: pools.route.pool, upstream: pools.upstream.pool } }
        }
        // Other processes occupy all slots of this route.
        excludedRoutes.add(route)
        continue
      }
      if (route === 'no_route' && excludedRoutes.size === triedRoutes.size) {
        throw noRoute(
          model.id,
          routes.forwarding.has(model.id) ? routes.forwarding.retryAfterSeconds(model.id, accountNo) : undefined,
        )
      }
      if (performance.now() >= untilMs) throw capacityError(routes.forwarding.retryAfterSeconds(model.id, accountNo))
      queueEntry ??= waitQueue.enterQueue(waitingRequest)
      await waitQueue.waitForSlot(waitingRequest, untilMs, clientSignal)
      excludedRoutes = new Set(triedRoutes)
    }
  } finally {
    queueEntry?.[Symbol.dispose]()
  }
}

/** Adjusts the local count of used slots. The next read from the store overwrites it. */
function changeUsedCount({ route }: AcquiredRoute, change: 1 | -1): void {
  for (const slots of [route.slots, route.settings.upstream.slots]) {
    if (change === 1) slots.acquire()
    else slots.release()
  }
}

function deadlineExceeded(): AppError {
  return new AppError('upstream_timeout', 'The provider exceeded the time limit of this model. Nothing was charged.')
}

function forwardRouteOf({ slots, settings }: Route): ForwardRoute {
  const { upstream, snapshotNo } = settings
  const inFlightMax = Math.min(slots.inFlightMax, upstream.slots.inFlightMax)
  return {
    snapshotNo,
    pools: {
      route: { pool: slots.pool ?? 0, inFlightMax },
      upstream: { pool: upstream.slots.pool ?? 0, inFlightMax: upstream.slots.inFlightMax },
    },
  }
}

interface RouteAttempt {
  acquired: AcquiredRoute
  held: HeldRequest
  deadline: AbortController
}

/** Sends the request to a route. Returns a `NotAccepted` if another route may be tried. */
async function tryRoute(
  dependencies: SendRequestDependencies,
  call: PricedCall,
  attempt: RouteAttempt,
): Promise<ClientReply | NotAccepted> {
  const { routes } = dependencies
  const { snapshotNo, pools } = attempt.acquired
  const connection = await routes.connect(snapshotNo)
  try {
    const response = await forwardOver(dependencies, call, attempt, connection)
    // If the pause of one of the route's slot pools is over, marks this pool as open again.
    void routes.health.recordAccepted(pools)
    return response
  } catch (cause) {
    attempt.deadline.signal.throwIfAborted()
    const refusal = toNotAccepted(cause)
    if (refusal === undefined) throw convertRefusal(cause)
    await routes.forwarding.recordRefused({ pools, snapshotNo }, refusal, {
      accountNo: call.principal.accountNo,
      digest: call.request.digest,
    })
    return refusal
  }
}

async function forwardOver(
  dependencies: SendRequestDependencies,
  call: PricedCall,
  { held, deadline }: RouteAttempt,
  connection: RouteConnection | undefined,
): Promise<ClientReply> {
  const { request, model, requestId, clientSignal } = call
  if (connection?.driver.forward === undefined) throw new NotAccepted('unsuitable', 'the driver does not support forwarding')
  const exchangeAbort = new AbortController()
  const abort = (reason: unknown): void => exchangeAbort.abort(reason)
  deadline.signal.addEventListener('abort', () => abort(deadline.signal.reason), { once: true })
  const upstreamResponse = await sendAndAwaitHeaders(connection, call, exchangeAbort, dependencies.limits.drainMs).catch(
    async (cause: unknown) => {
      if (hasClientDisconnected(call)) await settleUnread(held, call, connection)
      throw cause
    },
  )
  const response = new ForwardedResponse(dependencies, {
    held,
    body: upstreamResponse.body,
    abort,
    deadline: deadline.signal,
    reader: { model: model.id, showsUsage: request.requestsUsage, withoutSecrets: upstreamResponse.withoutSecrets },
    likelyInputTokens: request.input.likely,
    cost: connection.cost,
    recording: call.recording,
    requestId,
  })
  const onDisconnect = (): void => response.clientDisconnected()
  clientSignal.addEventListener('abort', onDisconnect, { once: true })
  if (clientSignal.aborted) onDisconnect()
  try {
    const isStream = request.isStreamed && upstreamResponse.contentType === 'text/event-stream'
    if (isStream) return { isStream, events: await response.readEvents() }
    return { isStream: false, text: await response.readAll() }
  } catch (cause) {
    upstreamResponse.body.destroy()
    if (!hasClientDisconnected(call)) throw cause
    response.settleUnread()
    throw clientSignal.reason
  }
}

/**
 * Sends the request and waits for the headers of the response. If the client disconnects, the wait
 * continues for `drainMs`, because the provider may charge for the response. This limit does not
 * apply while a retry waits for the response.
 */
async function sendAndAwaitHeaders(
  { driver }: RouteConnection,
  { request, clientSignal, recording }: PricedCall,
  exchangeAbort: AbortController,
  drainMs: number,
): Promise<ForwardResponse> {
  if (driver.forward === undefined) throw new NotAccepted('unsuitable', 'the driver does not support forwarding')
  let timer: NodeJS.Timeout | undefined
  const onDisconnect = (): void => {
    timer = setTimeout(
      () => (recording?.hasReplayReader === true ? onDisconnect() : exchangeAbort.abort(clientSignal.reason)),
      drainMs,
    )
  }
  clientSignal.addEventListener('abort', onDisconnect, { once: true })
  if (clientSignal.aborted) onDisconnect()
  try {
    return await driver.forward({ path: request.path, body: request.body, signal: exchangeAbort.signal })
  } finally {
    clearTimeout(timer)
    clientSignal.removeEventListener('abort', onDisconnect)
  }
}

/** Whether the client has disconnected and no retry of its request waits for the response. */
function hasClientDisconnected({ clientSignal, recording }: PricedCall): boolean {
  return clientSignal.aborted && recording?.hasReplayReader !== true
}

/**
 * Charges the estimated input tokens, because the provider may have processed them. Called if the
 * client has disconnected and no response has begun in time.
 */
function settleUnread(heldRequest: HeldRequest, { request }: PricedCall, { cost }: RouteConnection): Promise<void> {
  const tokens = { input: request.input.likely, cachedInput: 0, output: 0 }
  return heldRequest.settle('completed', tokens, { isEstimated: true, cost })
}

function toNotAccepted(cause: unknown): NotAccepted | undefined {
  if (cause instanceof NotAccepted) return cause
  if (cause instanceof AppError || cause instanceof ForwardRefusal) return undefined
  const mayConcernRequest = cause instanceof UnusableResponse
  const message = mayConcernRequest ? cause.message : 'the connection was lost before the response began'
  return new NotAccepted('unavailable', message, { cause, scope: 'route', mayConcernRequest })
}

function convertRefusal(cause: unknown): unknown {
  if (!(cause instanceof ForwardRefusal)) return cause
  const codes = {
    invalid_request: 'invalid_request',
    context_length: 'context_length_exceeded',
    policy: 'content_refused',
  } as const
  return new AppError(codes[cause.reason], cause.message)
}
