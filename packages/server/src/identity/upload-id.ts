/**
 * The id of an upload is `upload_` followed by a UUIDv7 without dashes, like a task id after
 * `task_`.
 */
const idPattern = /^upload_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/

export function isUploadId(text: string): boolean {
  return idPattern.test(text)
}
