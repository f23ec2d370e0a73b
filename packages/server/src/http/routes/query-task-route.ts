import { isTerminal } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import { findTask } from '../../tasks/find-task.ts'
import type { QueryOwner } from '../../tasks/held-shares.ts'
import { answerFault, answerSafely } from '../answers/answer-fault.ts'
import { addToAnswer } from '../answers/answer-fields.ts'
import { createBatchResponses } from '../answers/batch-responses.ts'
import { answerView } from './answer-view.ts'
import { authorize, authorizeAgain, principalOf } from '../authorize.ts'
import { readWait, type RequestedWait } from '../parameters/read-wait.ts'
import { brandOf } from '../brand-of.ts'
import { matchesEtag } from '../answers/etag.ts'
import { isOperator } from '../is-operator.ts'
import type { HttpContext } from '../services.ts'
import type { TaskCollection } from './task-collection.ts'
import { whenGone } from '../connections/when-gone.ts'

export function addQueryTaskRoute(app: FastifyInstance, context: HttpContext, collection: TaskCollection): void {
  const { keys, logger, store } = context
  const batchResponses = createBatchResponses(logger)

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${collection.url}/:id`,
    onRequest: authorize(keys, 'tasks:read'),
    handler(request, reply) {
      const wait = readWait(request)
      const task = findTask(store, principalOf(request).accountNo, request.params.id)
      if (!(task instanceof Promise)) return answerOrHold(request, reply, task, wait)
      task.then((found) => answerOrHold(request, reply, found, wait)).catch((fault) => answerFault(reply, fault, logger))
    },
  })

  function answerOrHold(request: FastifyRequest, reply: FastifyReply, task: TaskRecord, wait: RequestedWait): void {
    const { resultOrigin } = brandOf(request)
    const known = request.raw.headers['if-none-match']
    if (wait.seconds === 0 || isTerminal(task.status) || (known !== undefined && hasChangedSince(known, task, resultOrigin))) {
      tellApplied(request, wait)
      return batchResponses(reply, () => answerView(reply, collection.view(task, resultOrigin)))
    }

    const knownVersion = known === undefined ? null : task.version
    const query = { taskId: task.id, seconds: wait.seconds, owner: ownerOf(request), knownVersion }
    const giveUp = context.waiters.hold(query, (changed) => {
      staysHere()
      answerHeld(request, reply, task, changed)
    })
    // Too many queries are held. The client gets the state at once and polls again, as without
    // waiting.
    if (giveUp === undefined) return answerView(reply, collection.view(task, resultOrigin))
    tellApplied(request, wait)
    request.wasHeld = true
    const staysHere = whenGone(request.raw.socket, giveUp)
  }

  function hasChangedSince(known: string, task: TaskRecord, resultOrigin: string | null): boolean {
    return !matchesEtag(known, collection.view(task, resultOrigin).etag)
  }

  function ownerOf(request: FastifyRequest): QueryOwner {
    const principal = principalOf(request)
    const { accountNo, keyNo } = principal
    return { accountNo, keyNo, isOperator: isOperator(principal, context.brands) }
  }

  /** Checks the key again: it may have been revoked meanwhile, or its account suspended. */
  function answerHeld(request: FastifyRequest, reply: FastifyReply, task: TaskRecord, changed: TaskRecord | undefined): void {
    const { resultOrigin } = brandOf(request)
    const answer = (): void => {
      if (changed === undefined) answerAnew(reply, task, resultOrigin)
      else answerView(reply, collection.view(changed, resultOrigin))
    }
    answerSafely(reply, logger, () => {
      const admitted = authorizeAgain(keys, 'tasks:read', request)
      if (admitted === undefined) answer()
      else admitted.then(answer).catch((fault) => answerFault(reply, fault, logger))
    })
  }

  /** Responds when the time is up. Reads the task again, because it may have changed meanwhile. */
  function answerAnew(reply: FastifyReply, { accountNo, id }: TaskRecord, resultOrigin: string | null): void {
    Promise.resolve(findTask(store, accountNo, id))
      .then((task) => answerView(reply, collection.view(task, resultOrigin)))
      .catch((fault) => answerFault(reply, fault, logger))
  }
}

function tellApplied(request: FastifyRequest, wait: RequestedWait): void {
  if (wait.isPreference) addToAnswer(request, { 'preference-applied': `wait=${wait.seconds}` })
}
