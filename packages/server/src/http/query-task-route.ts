import { isTerminal } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TaskRecord } from '../db/store.ts'
import { findTask } from '../tasks/find-task.ts'
import { answerFault, answerSafely } from './answer-fault.ts'
import { addToAnswer } from './answer-fields.ts'
import { createAnswerTogether } from './answer-together.ts'
import { answerView } from './answer-view.ts'
import { authorize, principalOf } from './authorize.ts'
import { readWait, type RequestedWait } from './read-wait.ts'
import { brandOf } from './brand-of.ts'
import type { HttpContext } from './services.ts'
import type { TaskCollection } from './task-collection.ts'

export function addQueryTaskRoute(app: FastifyInstance, context: HttpContext, collection: TaskCollection): void {
  const { keys, logger, store } = context
  const answerTogether = createAnswerTogether(logger)

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
    if (wait.seconds === 0 || isTerminal(task.status)) {
      tellApplied(request, wait)
      return answerTogether(reply, () => answerView(reply, collection.view(task, resultOrigin)))
    }

    const giveUp = context.waiters.hold(task.id, wait.seconds, (ended) => {
      request.raw.socket.off('close', onGone)
      if (ended === undefined) answerAnew(reply, task, resultOrigin)
      else answerSafely(reply, logger, () => answerView(reply, collection.view(ended, resultOrigin)))
    })
    const onGone = (): void => giveUp?.()
    if (giveUp !== undefined) {
      tellApplied(request, wait)
      request.wasHeld = true
      request.raw.socket.once('close', onGone)
    }
    // Too many are held: the client learns the state now and polls again, as without waiting.
    else answerView(reply, collection.view(task, resultOrigin))
  }

  /** The time is up, and the task may have moved on meanwhile. */
  function answerAnew(reply: FastifyReply, { accountNo, id }: TaskRecord, resultOrigin: string | null): void {
    Promise.resolve(findTask(store, accountNo, id))
      .then((task) => answerView(reply, collection.view(task, resultOrigin)))
      .catch((fault) => answerFault(reply, fault, logger))
  }
}

function tellApplied(request: FastifyRequest, wait: RequestedWait): void {
  if (wait.isPreference) addToAnswer(request, { 'preference-applied': `wait=${wait.seconds}` })
}
