import type { V1Family } from '../../catalogue/model.ts'
import type { TaskView, WriteView } from '../../tasks/task-view.ts'

/** A URL for submitting and polling tasks: the URL of the model-center, or of a v1 family. */
export interface TaskCollection {
  /** Includes the base path. */
  url: string
  v1Family: V1Family | null
  view: WriteView<TaskView>
  /**
   * Creates the response to a submit. The text is not cached, because the task has usually changed
   * before the first poll.
   */
  text: WriteView<string>
}
