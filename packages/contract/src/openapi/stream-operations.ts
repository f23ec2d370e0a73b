import { eventStreamParameters } from '../webhook-requests.ts'
import type { Parameter, Paths, Response } from './document-types.ts'
import { headerReferences } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last event that the client has received. The stream continues after it.',
  schema: { type: 'string' },
}

function eventStream(description: string): Response {
  return {
    description,
    headers: headerReferences(['X-Accel-Buffering']),
    content: { 'text/event-stream': { schema: { type: 'string', description: 'Server-sent events.' } } },
  }
}

const source = 'an addition of Framegate.'

export const streamOperations: Paths = {
  '/v2/model-center/tasks/{id}/events': {
    get: operation({
      id: 'streamTask',
      tag: 'Tasks',
      source,
      key: 'tasks:read',
      summary: 'Follow a task',
      description:
        'Sends the task immediately and after each change, as server-sent events of the type `task` with the Task as data. ' +
        'Progress changes are sent at most once per second. The stream ends after the event in which the task is completed or ' +
        'failed. A client that reconnects gets the current state.',
      parameters: [...shared('TaskId'), lastEventId],
      responses: {
        200: eventStream('The changes of the task.'),
        204: { description: 'The client already has the final state of the task.', headers: headerReferences([]) },
      },
      errors: ['TaskNotFound'],
    }),
  },
  '/v2/events': {
    get: operation({
      id: 'streamEvents',
      tag: 'Tasks',
      source,
      key: 'tasks:read',
      summary: 'Follow an account',
      description:
        'Sends the events of the account as they occur, as server-sent events. The data of an event is the same as in a ' +
        'webhook request. The stream begins with an `id` without data, which is its position. With `Last-Event-ID`, the stream ' +
        'starts after that event, which may be up to 24 hours old. The service ends the stream after ten minutes; the client ' +
        'then reconnects.',
      parameters: [...queryParameters(eventStreamParameters), lastEventId],
      responses: { 200: eventStream('The events of the account.') },
      errors: ['BadQuery'],
    }),
  },
}
