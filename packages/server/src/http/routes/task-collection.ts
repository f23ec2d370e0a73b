import type { V1Family } from '../../catalogue/model.ts'
import type { TaskView, WriteView } from '../../tasks/task-view.ts'

/**
 * A collection to which tasks are submitted and where they are polled: the model-center, or a v1
 * family.
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
  text: WriteView<string>
}
