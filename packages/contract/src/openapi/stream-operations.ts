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
        'Sends the task now and after each change, as server-sent events of the type `task` whose data is the Task. Changes of ' +
        'progress are sent at most once a second. The stream ends after the event in which the task is completed or failed. A ' +
        'client that reconnects gets the current state.',
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
        'Sends the events of the account as they occur, as server-sent events. The data of each event is the same as in the ' +
        'request to a webhook. The stream begins with its position as an `id` without data. With `Last-Event-ID`, it starts after ' +
        'that event, up to 24 hours back. It ends after ten minutes; the client then reconnects.',
      parameters: [...queryParameters(eventStreamParameters), lastEventId],
      responses: { 200: eventStream('The events of the account.') },
      errors: ['BadQuery'],
    }),
  },
}
