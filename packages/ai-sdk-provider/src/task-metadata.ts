import type { Task } from '@framegate/sdk'

/**
 * Value of `providerMetadata.framegate` in results of the AI SDK. The versions of the AI SDK differ
 * in their type of JSON values, and this type fits both.
 */
export type TaskMetadata = {
  taskId: string
  amount: number
  actualDuration?: number
  /** Expiry of the links, Unix seconds. */
  expiresAt?: number
}

export type ResultMetadata = {
  taskId: string
  url: string
  mediaType: string
  width: number
  height: number
  seconds?: number
  seed?: number
}

export function taskMetadata({ id: taskId, amount, actualDuration, expires_at: expiresAt }: Task): TaskMetadata {
  return {
    taskId,
    amount,
    ...(actualDuration !== null && { actualDuration }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

export function resultMetadata({ id: taskId, results = [], seed: taskSeed }: Task): ResultMetadata[] {
  return results.map(({ url, type: mediaType, width, height, seconds, seed = taskSeed }) => ({
    taskId,
    url,
    mediaType,
    width,
    height,
    ...(seconds !== null && { seconds }),
    ...(seed !== undefined && { seed }),
  }))
}
