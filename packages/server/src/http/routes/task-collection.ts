import { v1Families, type V1Family } from '../../catalogue/model.ts'
import type { TaskView, TaskViews, WriteView } from '../../tasks/task-view.ts'

/**
 * A URL at which tasks are submitted and polled: the model-center (`/v2/model-center/tasks`), or a
 * family of video models of the v1 API (`/v1/FAMILY/videos`).
 */
export interface TaskCollection {
  /** Includes the base path. */
  url: string
  v1Family: V1Family | null
  view: WriteView<TaskView>
  /**
   * Renders the response to a submit. The text is not cached, because the task has usually changed
   * before the first poll.
   */
  submitResponse: WriteView<string>
}

/** Returns the collection of the model-center, followed by those of the v1 families. */
export function taskCollections(basePath: string, views: TaskViews): [TaskCollection, ...TaskCollection[]] {
  const { view, submitResponse, viewWithSeconds, submitResponseWithSeconds } = views
  return [
    { url: `${basePath}/v2/model-center/tasks`, v1Family: null, view, submitResponse },
    ...v1Families.map((v1Family) => ({
      url: `${basePath}/v1/${v1Family}/videos`,
      v1Family,
      view: viewWithSeconds,
      submitResponse: submitResponseWithSeconds,
    })),
  ]
}
