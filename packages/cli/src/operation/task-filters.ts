import { InvalidArgumentError, Option, type Command } from 'commander'
import type { TaskStatus } from '@framegate/sdk'
import { parseTime } from '../terminal/time.ts'

/** Options that filter tasks, as parsed by commander. */
export interface TaskFilters {
  status?: TaskStatus
  model?: string
  object?: 'image' | 'video' | 'text'
  /** Unix seconds. */
  since?: number
  until?: number
}

export function addTaskFilters(command: Command): Command {
  return command
    .addOption(
      new Option('--status <status>', 'only tasks with this status').choices(['queued', 'processing', 'completed', 'failed']),
    )
    .option('--model <id>', 'only tasks with this Model ID')
    .addOption(new Option('--object <kind>', 'only tasks with this result type').choices(['image', 'video', 'text']))
    .option('--since <time>', 'only tasks accepted at this time or later, such as 2026-03-01 or 2026-03-01T12:00Z', unixSeconds)
    .option('--until <time>', 'only tasks accepted before this time', unixSeconds)
}

/** Converts the filters to query parameters. */
export function queryOf({ status, model, object, since, until }: TaskFilters) {
  return { status, model, object, created_after: since, created_before: until }
}

function unixSeconds(text: string): number {
  const time = /^\d{9,11}$/.test(text) ? Number(text) : parseTime(text)
  if (time !== undefined) return time
  throw new InvalidArgumentError('It must be a time such as 2026-03-01, 2026-03-01T12:00Z, or Unix seconds.')
}
