import { isTerminal } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import { findTask } from '../../tasks/find-task.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { requestOwnerOf } from '../is-operator.ts'
import { requireEventStreamAccepted } from '../responses/accepts.ts'
import { eventStreamHeaders, type EventStream } from '../streams/event-stream.ts'
import { readLastEventId } from '../streams/last-event-id.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'

/** Minimum time between two events of a task. The final event may come earlier. */
const eventIntervalSeconds = 1
const heartbeatSeconds = 14

/**
 * Adds the route that streams the changes of a task as server-sent events. The id of an event is
 * the version of the task. Each event contains the whole task, so a client that missed events needs
 * only the next one.
 */
export function addTaskEventsRoute(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'brands' | 'keys' | 'store' | 'streamWaiters' | 'streams'>,
  collection: TaskCollection,
): void {
  const { brands, keys, store, streams, streamWaiters } = dependencies

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${collection.url}/:id/events`,
    onRequest: authorize(keys, 'tasks:read', requireEventStreamAccepted),
    async handler(request, reply) {
      const principal = principalOf(request)
      const task = await findTask(store, principal.accountNo, request.params.id)
      const knownVersion = readLastEventId(request)
      if (isTerminal(task.status) && knownVersion !== null && knownVersion >= task.version) {
        // The status 204 tells EventSource not to reconnect.
        return reply.code(204).send()
      }
      if (request.method === 'HEAD') return reply.headers(eventStreamHeaders).send()
      const owner = requestOwnerOf(principal, brands)
      const { resultOrigin } = brandOf(request)
      streams.start(request, reply, async (stream) => {
        let currentTask: TaskRecord | undefined = task
        let sentVersion = knownVersion
        while (currentTask !== undefined && !stream.isClosed) {
          if (currentTask.version !== sentVersion) {
            const { text } = collection.view(currentTask, resultOrigin)
            await streams.requireAdmitted(request)
            await stream.send({ event: 'task', id: String(currentTask.version), data: text })
            sentVersion = currentTask.version
            if (isTerminal(currentTask.status)) return
            await waitForChange(stream, { taskId: task.id, seconds: eventIntervalSeconds, owner, knownVersion: null })
          } else {
            const changedTask = await waitForChange(stream, {
              taskId: task.id,
              seconds: heartbeatSeconds,
              owner,
              knownVersion: sentVersion,
            })
            if (changedTask === undefined && !stream.isClosed) {
              await stream.sendHeartbeat()
              await streams.requireAdmitted(request)
            }
          }
          // Reads the task again, because a change between two waits resolves neither of them.
          currentTask = store.peek(task.id) ?? (await store.find(task.id))
        }
      })
      return reply
    },
  })

  type Wait = Parameters<typeof streamWaiters.add>[0]

  /** Resolves to the changed task, or to undefined when the wait times out or the stream ends. */
  function waitForChange(stream: EventStream, wait: Wait): Promise<TaskRecord | undefined> {
    return new Promise((resolve) => {
      const stopWaiting = streamWaiters.add(wait, (changed) => {
        stopWatching()
        resolve(changed)
      })
      if (stopWaiting === undefined) stream.end()
      const stopWatching = stream.onClose(() => {
        stopWaiting?.()
        resolve(undefined)
      })
    })
  }
}
