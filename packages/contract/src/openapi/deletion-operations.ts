import { taskDeletionParameters } from '../parameters.ts'
import { common } from './admin-body.ts'
import { deletionExamples as examples } from './deletion-examples.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

const filters = queryParameters(taskDeletionParameters)

const deletedTask = jsonResponse({
  description: 'The task was deleted.',
  schema: reference('schemas', 'DeletedTask'),
  examples: { deleted: examples.task },
})

const deletedTasks = jsonResponse({
  description: 'The deleted tasks.',
  schema: reference('schemas', 'DeletedTasks'),
  examples: { deleted: examples.tasks },
})

const erasure = jsonResponse({
  description: 'The progress of the erasure.',
  schema: reference('schemas', 'Erasure'),
  examples: { completed: examples.erasure },
})

/** `DELETE` of many tasks, for clients. The paths are in `task-operations.ts`. */
export const deleteTasks = operation({
  id: 'deleteTasks',
  tag: 'Tasks',
  summary: 'Delete tasks',
  description:
    'Deletes the tasks that match the filters, newest first. Running tasks are cancelled before. The request needs at least one filter, ' +
    'or `all=true`. It deletes at most `limit` tasks, and the response shows whether more tasks match.',
  source: 'an addition of Framegate.',
  key: 'tasks:write',
  parameters: filters,
  responses: { 200: deletedTasks },
  errors: ['BadQuery'],
})

export const deleteTask = operation({
  id: 'deleteTask',
  tag: 'Tasks',
  summary: 'Delete a task',
  description:
    'Permanently removes result, prompt and inputs of the task. A running task is cancelled first, and its hold is released. Later ' +
    'queries get 404. Ledger and usage keep their figures. A repeated deletion gets the same response. The ' +
    '`Idempotency-Key` of the task stays reserved for the rest of its 24 hours: a submit with that key is refused with 409, and ' +
    'nothing is charged.',
  source: 'an addition of Framegate.',
  key: 'tasks:write',
  parameters: shared('TaskId'),
  responses: { 200: deletedTask },
  errors: ['TaskNotFound'],
})

const account: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the account.',
  schema: { type: 'string' },
  example: 'acct_1',
}

export const deletionOperations: Paths = {
  '/admin/v1/tasks/{id}': {
    delete: operation({
      ...common,
      id: 'deleteTaskOfAnyAccount',
      summary: 'Delete a task of any account',
      description: 'Deletes the task. The effect is the same as for a request of the account itself.',
      parameters: shared('TaskId'),
      responses: { 200: deletedTask },
      errors: ['TaskNotFound'],
    }),
  },
  '/admin/v1/accounts/{id}/tasks': {
    delete: operation({
      ...common,
      id: 'deleteTasksOfAccount',
      summary: 'Delete tasks of an account',
      description: 'Deletes tasks. Filters and effect are the same as for a request of the account itself.',
      parameters: [account, ...filters],
      responses: { 200: deletedTasks },
      errors: ['BadQuery', 'ResourceNotFound'],
    }),
  },
  '/admin/v1/accounts/{id}/erase': {
    post: operation({
      ...common,
      id: 'eraseAccount',
      summary: 'Erase a closed account',
      description:
        'Removes all content of the account: the prompts, inputs and results of tasks, assets, the names of the account and its keys, ' +
        'and names and notes in the audit log. Ledger and usage stay. The response arrives within some seconds and reports the ' +
        'progress. While `status` is `running`, the service continues on its own, and the same request also continues the ' +
        'erasure and reports again. The request is refused if the account is not closed.',
      parameters: [account],
      responses: { 200: erasure },
      errors: ['ResourceNotFound', 'Conflict'],
    }),
  },
  '/admin/v1/accounts/{id}/erasure': {
    get: operation({
      ...common,
      id: 'getErasure',
      summary: 'Show the erasure of an account',
      description: 'The progress of the erasure.',
      parameters: [account],
      responses: { 200: erasure },
      errors: ['ResourceNotFound'],
    }),
  },
}
