import { isTerminal } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import { findTask } from '../../tasks/find-task.ts'
import { sendThrown, sendSafely } from '../responses/send-thrown.ts'
import { addToResponse } from '../responses/response-fields.ts'
import { createBatchResponses } from '../responses/batch-responses.ts'
import { sendView } from './send-view.ts'
import { authorize, reauthorize, principalOf } from '../authorize.ts'
import { readWait, type RequestedWait } from '../parameters/read-wait.ts'
import { brandOf } from '../brand-of.ts'
import { matchesEtag } from '../responses/etag.ts'
import { requestOwnerOf } from '../is-operator.ts'
import type { Store } from '../../db/store.ts'
import type { TaskWaiters } from '../../tasks/wait-for-task.ts'
import type { AppDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'
import { onDisconnect } from '../connections/on-disconnect.ts'

export interface QueryRouteDependencies extends Pick<AppDependencies, 'keys' | 'logger' | 'brands'> {
  store: Pick<Store, 'peek' | 'find'>
  waiters: Pick<TaskWaiters, 'add'>
}

export function addQueryTaskRoute(app: FastifyInstance, dependencies: QueryRouteDependencies, collection: TaskCollection): void {
  const { keys, logger, store } = dependencies
  const batchResponses = createBatchResponses(logger)

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${collection.url}/:id`,
    onRequest: authorize(keys, 'tasks:read'),
    handler(request, reply) {
      const wait = readWait(request)
      const task = findTask(store, principalOf(request).accountNo, request.params.id)
      if (!(task instanceof Promise)) return sendOrHold(request, reply, task, wait)
      task.then((record) => sendOrHold(request, reply, record, wait)).catch((error) => sendThrown(reply, error, logger))
    },
  })

  function sendOrHold(request: FastifyRequest, reply: FastifyReply, task: TaskRecord, wait: RequestedWait): void {
    const { resultOrigin } = brandOf(request)
    const etag = request.raw.headers['if-none-match']
    if (wait.seconds === 0 || isTerminal(task.status) || (etag !== undefined && hasChangedSince(etag, task, resultOrigin))) {
      addPreferenceApplied(request, wait)
      return batchResponses(reply, () => sendView(reply, collection.view(task, resultOrigin)))
    }

    const knownVersion = etag === undefined ? null : task.version
    const query = {
      taskId: task.id,
      seconds: wait.seconds,
      owner: requestOwnerOf(principalOf(request), dependencies.brands),
      knownVersion,
    }
    const stopWaiting = dependencies.waiters.add(query, (changed) => {
      stopWatching()
      sendHeld(request, reply, task, changed)
    })
    // Undefined: the owner may not add another long poll. The client then gets the current state
    // immediately, and polls again.
    if (stopWaiting === undefined) return sendView(reply, collection.view(task, resultOrigin))
    addPreferenceApplied(request, wait)
    request.wasDelayedOnRequest = true
    const stopWatching = onDisconnect(request.raw.socket, stopWaiting)
  }

  function hasChangedSince(etag: string, task: TaskRecord, resultOrigin: string | null): boolean {
    return !matchesEtag(etag, collection.view(task, resultOrigin).etag)
  }

  /**
   * Responds to a long poll. Checks the key again, because the key may have been revoked, or its
   * account suspended, in the meantime.
   */
  function sendHeld(request: FastifyRequest, reply: FastifyReply, task: TaskRecord, changed: TaskRecord | undefined): void {
    const { resultOrigin } = brandOf(request)
    const send = (): void => {
      if (changed === undefined) sendCurrentTask(reply, task, resultOrigin)
      else sendView(reply, collection.view(changed, resultOrigin))
    }
    sendSafely(reply, logger, () => {
      const admission = reauthorize(keys, 'tasks:read', request)
      if (admission === undefined) send()
      else admission.then(send).catch((error) => sendThrown(reply, error, logger))
    })
  }

  /**
   * Responds after a wait that no change has ended. Reads the task again, because it may have
   * changed since.
   */
  function sendCurrentTask(reply: FastifyReply, { accountNo, id }: TaskRecord, resultOrigin: string | null): void {
    Promise.resolve(findTask(store, accountNo, id))
      .then((task) => sendView(reply, collection.view(task, resultOrigin)))
      .catch((error) => sendThrown(reply, error, logger))
  }
}

function addPreferenceApplied(request: FastifyRequest, wait: RequestedWait): void {
  if (wait.isPreference) addToResponse(request, { 'preference-applied': `wait=${wait.seconds}` })
}
