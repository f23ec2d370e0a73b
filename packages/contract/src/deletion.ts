import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { taskIdPattern } from './parameters.ts'

export const DeletedTaskSchema = Type.Object(
  {
    id: Type.String({ pattern: taskIdPattern, description: 'The id of the task.' }),
    object: Type.Literal('task'),
    deleted: Type.Literal(true),
  },
  { description: 'Response to the deletion of a task. A repeated deletion gets the same response.' },
)
export type DeletedTask = Static<typeof DeletedTaskSchema>

export const DeletedTasksSchema = Type.Object(
  {
    object: Type.Literal('deleted_tasks'),
    deleted: Type.Integer({ minimum: 0, description: 'Number of tasks that this request deleted.' }),
    has_more: Type.Boolean({ description: 'Whether more tasks match the filters. Repeat the request until this is false.' }),
    next_cursor: nullable(Type.String({ description: 'The `cursor` of the next request. Null if no tasks are left.' })),
  },
  { description: 'Response to a deletion by filters.' },
)
export type DeletedTasks = Static<typeof DeletedTasksSchema>

export const ErasureSchema = Type.Object(
  {
    object: Type.Literal('erasure'),
    account: Type.String({ description: 'The id of the account.' }),
    status: Type.Unsafe<'running' | 'completed'>({
      type: 'string',
      enum: ['running', 'completed'],
      description: '`running`: the service continues on its own, even after a restart.',
    }),
    tasks: Type.Integer({
      minimum: 0,
      description: 'Number of tasks whose content was removed. Tasks that were deleted before the erasure are not counted.',
    }),
    results: Type.Integer({ minimum: 0, description: 'Number of removed results.' }),
    assets: Type.Integer({ minimum: 0, description: 'Number of removed assets.' }),
    keys: Type.Integer({ minimum: 0, description: 'Number of API keys whose names were removed.' }),
    audit_entries: Type.Integer({ minimum: 0, description: 'Number of audit log entries whose names and notes were removed.' }),
    requested: Type.Integer({ description: 'Time of the first request, Unix seconds.' }),
    completed: nullable(Type.Integer({ description: 'Time of completion, Unix seconds.' })),
  },
  { description: 'The erasure of a closed account.' },
)
export type Erasure = Static<typeof ErasureSchema>
