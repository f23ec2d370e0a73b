import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'

export const LogEntrySchema = Type.Object(
  {
    object: Type.Literal('log_entry'),
    no: Type.Integer({ minimum: 1, description: 'Number of the line in this process.' }),
    at: Type.Number({ description: 'Time of the line in Unix seconds, with milliseconds as decimals.' }),
    level: Type.String({ description: '`trace`, `debug`, `info`, `warn`, `error` or `fatal`.' }),
    message: Type.String(),
    task: nullable(Type.String({ description: 'The id of the task that the line is about. Null: the line is about no task.' })),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: 'All other fields of the line.' }),
  },
  { description: 'A line of the log. Lines contain no secrets.' },
)
export type LogEntry = Static<typeof LogEntrySchema>
