import { adminListParameters } from '../parameters.ts'
import { common } from './admin-body.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { heldTaskExamples as examples } from './held-task-examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const task: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of a task on hold.',
  schema: { type: 'string' },
  example: examples.held.value.id,
}

const heldTasksResponse = jsonResponse({
  description: 'The task before the decision.',
  schema: reference('schemas', 'HeldTask'),
  examples: { held: examples.held },
})

export const heldTaskOperations: Paths = {
  '/admin/v1/held-tasks': {
    get: operation({
      ...common,
      id: 'listHeldTasks',
      summary: 'List tasks on hold',
      description:
        'Lists the tasks on hold of all accounts, oldest first, in pages. After an installation is restored from a backup, it ' +
        'does not know what happened after the backup. Tasks that were unfinished at that time therefore wait for an operator, ' +
        'because running them could pay the upstream a second time.',
      parameters: queryParameters(adminListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of tasks on hold.',
          schema: reference('schemas', 'HeldTaskList'),
          examples: { page: examples.list },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/admin/v1/held-tasks/{id}/release': {
    post: operation({
      ...common,
      id: 'releaseHeldTask',
      summary: 'Release a task on hold',
      description:
        'Lets the service run the task. The upstream may be paid a second time. If the upstream supports it, the service first ' +
        'looks up the job of an earlier submit.',
      parameters: [task],
      responses: { 200: heldTasksResponse },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/held-tasks/{id}/fail': {
    post: operation({
      ...common,
      id: 'failHeldTask',
      summary: 'Fail a task on hold',
      description: 'Ends the task with `lost_upstream`. Its hold is released, and the client is not charged.',
      parameters: [task],
      responses: { 200: heldTasksResponse },
      errors: ['ResourceNotFound'],
    }),
  },
}
