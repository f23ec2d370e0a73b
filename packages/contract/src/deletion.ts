import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { taskIdPattern } from './parameters.ts'

export const DeletedTaskSchema = Type.Object(
  {
    id: Type.String({ pattern: taskIdPattern, description: 'The id of the task.' }),
    object: Type.Literal('task'),
    deleted: Type.Literal(true),
  },
  { description: 'The answer to the deletion of a task, also when it is repeated.' },
)
export type DeletedTask = Static<typeof DeletedTaskSchema>

export const DeletedTasksSchema = Type.Object(
  {
    object: Type.Literal('deleted_tasks'),
    deleted: Type.Integer({ minimum: 0, description: 'How many tasks this request has deleted.' }),
    has_more: Type.Boolean({ description: 'Whether more tasks pass the filters: repeat the request until there are none.' }),
    next_cursor: nullable(
      Type.String({ description: 'Give it as `cursor` with the next request; null when there are no more.' }),
    ),
  },
  { description: 'The answer to the deletion of many tasks.' },
)
export type DeletedTasks = Static<typeof DeletedTasksSchema>

export const ErasureSchema = Type.Object(
  {
    object: Type.Literal('erasure'),
    account: Type.String({ description: 'The id of the account.' }),
    status: Type.Unsafe<'running' | 'completed'>({
      type: 'string',
      enum: ['running', 'completed'],
      description: '`running`: the service goes on by itself, also after a restart.',
    }),
    tasks: Type.Integer({
      minimum: 0,
      description: 'Tasks whose content was removed. Those that were deleted before do not count.',
    }),
    results: Type.Integer({ minimum: 0, description: 'Results of these tasks.' }),
    assets: Type.Integer({ minimum: 0, description: 'Assets that were removed.' }),
    keys: Type.Integer({ minimum: 0, description: 'API keys whose names were removed.' }),
    audit_entries: Type.Integer({ minimum: 0, description: 'Entries of the audit log whose names and notes were removed.' }),
    requested: Type.Integer({ description: 'When it was requested first, Unix seconds.' }),
    completed: nullable(Type.Integer({ description: 'When it was completed, Unix seconds.' })),
  },
  { description: 'The erasure of a closed account.' },
)
export type Erasure = Static<typeof ErasureSchema>
