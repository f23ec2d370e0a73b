import type { Model } from '../model.ts'
import { taskListParameters } from '../parameters.ts'
import { deleteTask, deleteTasks } from './deletion-operations.ts'
import { reference, type Paths } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { exampleReferences } from './model-requests.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'
import { getTask, submitTask } from './submit-and-get.ts'

const collection = '/v2/model-center/tasks'

export function taskOperations(models: readonly Model[]): Paths {
  return {
    [collection]: {
      post: submitTask({
        id: 'submitTask',
        tag: 'Tasks',
        summary: 'Submit a task',
        source: 'specification 2.2 and 4.1.',
        body: 'SubmitRequest',
        task: 'Task',
        models,
        errors: ['BadTask'],
        examples: { image: examples.imageQueued, video: examples.videoQueued },
        query: { operationId: 'getTask', parameter: 'id' },
      }),
      get: operation({
        id: 'listTasks',
        tag: 'Tasks',
        summary: 'List tasks',
        description:
          'Lists the tasks of the account, newest first, in pages, regardless of the API that submitted them. A task must ' +
          'match all filters. Unknown filters are rejected. Each task has the beginning of its prompt; with `view=full`, it ' +
          'has all parameters.',
        source: 'an addition of Framegate.',
        key: 'tasks:read',
        parameters: queryParameters(taskListParameters),
        responses: {
          200: jsonResponse({
            description: 'A page of tasks.',
            schema: reference('schemas', 'TaskList'),
            examples: { page: examples.taskList },
          }),
        },
        errors: ['BadQuery'],
      }),
      delete: deleteTasks,
    },
    [`${collection}/{id}`]: {
      get: getTask({
        id: 'getTask',
        summary: 'Query a task',
        tag: 'Tasks',
        source: 'specification 2.1, 3 and 4.2.',
        taskId: 'TaskId',
        acceptedTasks: 'Returns any task of the account, including tasks that were submitted through other APIs.',
        task: 'Task',
        examples: {
          processing: examples.videoProcessing,
          image: examples.imageCompleted,
          video: examples.videoCompleted,
          failed: examples.failed,
          expired: examples.expired,
        },
      }),
      delete: deleteTask,
    },
    [`${collection}/{id}/cancel`]: {
      post: operation({
        id: 'cancelTask',
        tag: 'Tasks',
        summary: 'Cancel a task',
        description:
          'Immediately ends a queued or processing task as `failed` with `error_code: cancelled` and releases the whole hold. ' +
          'The request has no body.',
        source: 'an addition of Framegate.',
        key: 'tasks:write',
        parameters: shared('TaskId'),
        responses: {
          200: jsonResponse({
            description: 'The ended task.',
            schema: reference('schemas', 'Task'),
            examples: { cancelled: examples.cancelled },
          }),
        },
        errors: ['BadBody', 'TaskNotFound', 'TaskEnded', 'BodyTooLarge', 'UnsupportedMediaType'],
      }),
    },
    [`${collection}/{id}/timeline`]: {
      get: operation({
        id: 'getTaskTimeline',
        tag: 'Tasks',
        summary: 'Show the timeline of a task',
        description:
          'Returns the events from submit to end: the held credits, each attempt with its route and outcome, and the charged ' +
          'or released credits with the reason. While the task waits, the last event gives the reason for the wait.',
        source: 'an addition of Framegate.',
        key: 'tasks:read',
        parameters: shared('TaskId'),
        responses: {
          200: jsonResponse({
            description: 'The timeline.',
            schema: reference('schemas', 'Timeline'),
            examples: {
              completed: examples.timelineOfCompleted,
              failed: examples.timelineOfFailed,
              waiting: examples.timelineOfWaiting,
            },
          }),
        },
        errors: ['TaskNotFound'],
      }),
    },
    [`${collection}/quote`]: {
      post: operation({
        id: 'quoteTask',
        tag: 'Tasks',
        summary: 'Quote a task',
        description:
          'Returns the price of a submit with this body, without storing or holding anything. If the body is invalid, the ' +
          'quote gets the same error as the submit. If the submit would fail for another reason, such as a low balance, the ' +
          'quote succeeds and `reason` has the error code.',
        source: 'an addition of Framegate.',
        key: 'tasks:read',
        body: { schema: reference('schemas', 'SubmitRequest'), examples: exampleReferences(models) },
        responses: {
          200: jsonResponse({
            description: 'The price.',
            schema: reference('schemas', 'Quote'),
            examples: {
              available: examples.quote,
              not_granted: examples.quoteOfMissingModel,
              too_expensive: examples.quoteBeyondBalance,
            },
          }),
        },
        errors: ['BadTask', 'ModelNotFound', 'BodyTooLarge', 'UnsupportedMediaType'],
      }),
    },
  }
}
