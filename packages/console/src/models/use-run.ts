import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { followTask, isEnded } from '../api/follow-task.ts'
import { useSendOnce } from '../api/send-once.ts'
import { may } from '../session/session.ts'

export interface Run {
  task: Task | null
  /** Error of the last submit. */
  submitError: ApiError | null
  /** Why the state of the task is currently unknown. */
  interruption: ApiError | null
  isSubmitting: boolean
  submit: (body: Readonly<Record<string, unknown>>) => Promise<void>
  cancel: () => Promise<void>
}

/** Submits a task and follows it to its end, if the key may read tasks. */
export function useRun(): Run {
  const [task, setTask] = useState<Task | null>(null)
  const [submitError, setSubmitError] = useState<ApiError | null>(null)
  const [interruption, setInterruption] = useState<ApiError | null>(null)
  const [isSubmitting, setSubmitting] = useState(false)
  const sendOnce = useSendOnce()
  const stop = useRef<() => void>(() => {})
  useEffect(() => () => stop.current(), [])

  const submit = useCallback(
    async (body: Readonly<Record<string, unknown>>) => {
      setSubmitting(true)
      setSubmitError(null)
      try {
        const submittedTask = await sendOnce<Task>('/v2/model-center/tasks', body)
        stop.current()
        setTask(submittedTask)
        if (!isEnded(submittedTask) && may('tasks:read')) stop.current = followTask(submittedTask.id, setTask, setInterruption)
      } catch (error) {
        if (error instanceof ApiError) setSubmitError(error)
      } finally {
        setSubmitting(false)
      }
    },
    [sendOnce],
  )

  const cancel = useCallback(async () => {
    if (task === null) return
    setTask(await call<Task>('POST', `/v2/model-center/tasks/${task.id}/cancel`))
  }, [task])

  return { task, submitError, interruption, isSubmitting, submit, cancel }
}
