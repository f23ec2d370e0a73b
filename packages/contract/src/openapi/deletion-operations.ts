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

/** The `DELETE` operations for clients. Their paths are in `task-operations.ts`. */
export const deleteTasks = operation({
  id: 'deleteTasks',
  tag: 'Tasks',
  summary: 'Delete tasks',
  description:
    'Deletes tasks that match the filters, newest first, at most `limit` per request. The response shows whether more tasks ' +
    'match. Running tasks are cancelled first. The request needs at least one filter or `all=true`.',
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
    "Permanently removes the task's result, prompt and inputs. A running task is cancelled first, and its hold is released. " +
    'Later queries get 404. The ledger and the usage do not change. A repeated deletion gets the same response. The ' +
    '`Idempotency-Key` of the task remains reserved for the rest of its 24 hours: a submit with that key is rejected with 409, ' +
    'and nothing is charged.',
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
      description: 'Deletes the task, with the same effect as a request of the account itself.',
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
      description: 'Deletes tasks of the account, with the same filters and effect as a request of the account itself.',
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
        'Removes all content of the account: prompts, inputs and results of tasks, assets, the names of the account and its ' +
        'keys, and names and notes in the audit log. The ledger and the usage are kept. The response arrives within a few ' +
        'seconds and reports the progress. While `status` is `running`, the service continues on its own; a repeated request ' +
        'also continues the erasure and reports its progress. The request is rejected if the account is not closed.',
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
      description: 'Returns the progress of the erasure.',
      parameters: [account],
      responses: { 200: erasure },
      errors: ['ResourceNotFound'],
    }),
  },
}
