import { followStream, type FollowedStream, type StreamOptions } from './follow-stream.ts'
import { parseObject } from './parse-object.ts'
import type { ServerSentEvent } from './read-events.ts'
import type { Task } from './task.ts'
import type { Transport } from './transport.ts'

export type FollowTaskOptions = StreamOptions & Pick<FollowedStream, 'failuresMax' | 'firstBytesSecondsMax'>

/**
 * Yields a task immediately and after each change, until it ends. `path` is the API path of the
 * task.
 */
export async function* followTask(
  transport: Transport,
  path: string,
  { signal, onRetry, ...limits }: FollowTaskOptions,
): AsyncGenerator<Task> {
  const followed = { call: { path: `${path}/events` }, isLast: (event: ServerSentEvent) => hasEnded(taskOf(event)), ...limits }
  for await (const event of followStream(transport, followed, { signal, onRetry })) yield taskOf(event)
}

export function hasEnded({ status }: Task): boolean {
  return status === 'completed' || status === 'failed'
}

function taskOf(event: ServerSentEvent): Task {
  return parseObject(event.data) as Task
}
