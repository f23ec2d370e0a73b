import type { Model } from '../model.ts'
import { reference, type Example, type Operation } from './document-types.ts'
import type { ErrorSetName } from './error-responses.ts'
import { headerReferences, jsonResponse } from './json-response.ts'
import { exampleReferences } from './model-requests.ts'
import { operation } from './operation.ts'
import { shared } from './parameters.ts'
import type { TagName } from './tags.ts'

/** The parts of submits and queries that differ between the v1 and v2 APIs. */
interface TaskOperationPlan {
  id: string
  tag: TagName
  summary: string
  source: string
  /** Component of the response. */
  task: 'Task' | 'VideoTask'
  examples: Record<string, Example>
}

export function submitTask(
  plan: TaskOperationPlan & {
    body: string
    models: readonly Model[]
    errors: ErrorSetName[]
    query: { operationId: string; parameter: string }
  },
): Operation {
  return operation({
    id: plan.id,
    tag: plan.tag,
    summary: plan.summary,
    description:
      'Submits a task. Before it responds, the service fills in defaults, holds the price, and stores the task durably. An ' +
      'error lists all violations of the body. With an `Idempotency-Key`, you can retry a request whose response was lost, ' +
      'and pay only once.',
    source: plan.source,
    key: 'tasks:write',
    parameters: shared('IdempotencyKey'),
    body: { schema: reference('schemas', plan.body), examples: exampleReferences(plan.models) },
    responses: {
      202: jsonResponse({
        description:
          'The accepted task. Store its `id`, and use it to poll the task. With a known Idempotency-Key: the first task in its ' +
          'current state.',
        schema: reference('schemas', plan.task),
        headers: ['Location', 'Retry-After', 'Idempotency-Replayed'],
        examples: plan.examples,
        links: {
          query: {
            operationId: plan.query.operationId,
            description: 'Query the task until it has ended.',
            parameters: { [plan.query.parameter]: '$response.body#/id' },
          },
        },
      }),
    },
    errors: [
      ...plan.errors,
      'InsufficientCredits',
      'ForbiddenTask',
      'ModelNotFound',
      'KeyReused',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'TooManyRequests',
      'Unavailable',
    ],
  })
}

export function getTask(plan: TaskOperationPlan & { taskId: 'TaskId' | 'VideoTaskId'; acceptedTasks: string }): Operation {
  return operation({
    id: plan.id,
    tag: plan.tag,
    summary: plan.summary,
    description:
      'Poll every 5 to 10 seconds, according to `Retry-After`, until the status is `completed` or `failed`. Preferably, send ' +
      '`?wait=60`: the service then delays the response until the task ends. With `If-None-Match`, the response for an unchanged ' +
      `task is 304. With both, the response is sent as soon as status or progress changes.\n\n${plan.acceptedTasks}`,
    source: plan.source,
    key: 'tasks:read',
    parameters: shared(plan.taskId, 'Wait', 'Prefer', 'IfNoneMatch'),
    responses: {
      200: jsonResponse({
        description: 'The task in its current state.',
        schema: reference('schemas', plan.task),
        headers: ['ETag', 'Retry-After', 'Preference-Applied'],
        examples: plan.examples,
      }),
      304: {
        description: 'The task matches `If-None-Match`. No body.',
        headers: headerReferences(['ETag', 'Retry-After', 'Preference-Applied']),
      },
    },
    errors: ['BadParameter', 'TaskNotFound'],
  })
}
