import { taskDeletionParameters } from '../parameters.ts'
import { common } from './admin-body.ts'
import { deletionExamples as examples } from './deletion-examples.ts'
import { reference, type Parameter, type Paths } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

const filters = queryParameters(taskDeletionParameters)

const deletedTask = jsonResponse({
  description: 'Deleted.',
  schema: reference('schemas', 'DeletedTask'),
  examples: { deleted: examples.task },
})

const deletedTasks = jsonResponse({
  description: 'What was deleted.',
  schema: reference('schemas', 'DeletedTasks'),
  examples: { deleted: examples.tasks },
})

const erasure = jsonResponse({
  description: 'The erasure so far.',
  schema: reference('schemas', 'Erasure'),
  examples: { completed: examples.erasure },
})

/** For clients: `DELETE` on a task and on the task collection. */
export const deleteTasks = operation({
  id: 'deleteTasks',
  tag: 'Tasks',
  summary: 'Delete tasks',
  description:
    'Deletes the tasks that pass the filters of the list, newest first, as the deletion of one does: those that run are cancelled first. ' +
    'Give at least one filter, or `all=true`. A request deletes at most `limit` tasks and says whether there are more.',
  source: 'an addition of Framegate.',
  key: 'tasks:write',
  parameters: filters,
  answers: { 200: deletedTasks },
  errors: ['BadQuery'],
})

export const deleteTask = operation({
  id: 'deleteTask',
  tag: 'Tasks',
  summary: 'Delete a task',
  description:
    'Permanently removes result, prompt and inputs. A task that runs is cancelled first, and its hold is released. From then on queries ' +
    'answer 404. Ledger and usage keep their figures. Deleting it again is answered the same. Its `Idempotency-Key` stays taken for the ' +
    'rest of its 24 hours: a submit that repeats it is refused with 409, so that nothing is charged again.',
  source: 'an addition of Framegate.',
  key: 'tasks:write',
  parameters: shared('TaskId'),
  answers: { 200: deletedTask },
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
      description: 'As the account itself deletes it.',
      parameters: shared('TaskId'),
      answers: { 200: deletedTask },
      errors: ['TaskNotFound'],
    }),
  },
  '/admin/v1/accounts/{id}/tasks': {
    delete: operation({
      ...common,
      id: 'deleteTasksOfAccount',
      summary: 'Delete tasks of an account',
      description: 'As the account itself deletes them, by the same filters.',
      parameters: [account, ...filters],
      answers: { 200: deletedTasks },
      errors: ['BadQuery', 'ResourceNotFound'],
    }),
  },
  '/admin/v1/accounts/{id}/erase': {
    post: operation({
      ...common,
      id: 'eraseAccount',
      summary: 'Erase a closed account',
      description:
        'Removes all its content: tasks with prompts, inputs and results, assets, its name, the names of its keys, and names and notes in ' +
        'the audit log. Ledger and usage stay. Answers after some seconds at the latest with what was done; while `status` is `running` ' +
        'the service goes on by itself, and the same request works on it and answers again. An account that is not closed is refused.',
      parameters: [account],
      answers: { 200: erasure },
      errors: ['ResourceNotFound', 'Conflict'],
    }),
  },
  '/admin/v1/accounts/{id}/erasure': {
    get: operation({
      ...common,
      id: 'getErasure',
      summary: 'Show the erasure of an account',
      description: 'What was removed so far.',
      parameters: [account],
      answers: { 200: erasure },
      errors: ['ResourceNotFound'],
    }),
  },
}
