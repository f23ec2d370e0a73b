import { useCallback, useEffect } from 'preact/hooks'
import type { Task, Timeline } from '../api/types.ts'
import { useLoad } from '../api/use-load.ts'
import { useRefresh } from '../api/use-refresh.ts'

/**
 * Loads the timeline of a task after each change of its status or progress. While the task is
 * queued, also loads it every few seconds, because the timeline shows why the task waits.
 */
export function useTimeline(task: Task | null): Timeline | null {
  const { data, reload } = useLoad<Timeline>(task === null ? null : `/v2/model-center/tasks/${task.id}/timeline`)
  const isQueued = task?.status === 'queued'
  useEffect(reload, [task?.status, task?.progress])
  useRefresh(
    useCallback(() => {
      if (isQueued) reload()
    }, [isQueued, reload]),
  )
  return data
}
