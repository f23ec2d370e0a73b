/**
 * Object keys of results: `task_<32 hex digits>.png` for the first output of a task,
 * `task_<32 hex digits>-2.png` for the second, and so on.
 */
export function resultObjectKey(taskId: string, output: number, ending: string): string {
  return `${taskId}${output === 0 ? '' : `-${output + 1}`}.${ending}`
}

const outputNumber = /(?<=.{4})-\d+$/

/** The id of the task or asset that a file belongs to. */
export function ownerIdOf(objectKey: string): string {
  return objectKey.slice(0, objectKey.indexOf('.')).replace(outputNumber, '')
}
