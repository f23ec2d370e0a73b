import type { V1Family } from '../catalogue/model.ts'
import type { TaskView, WriteView } from '../tasks/task-view.ts'

/** One of the addresses at which tasks are submitted and polled: the model-center's, or a v1 family's. */
export interface TaskCollection {
  /** With the base path. */
  url: string
  v1Family: V1Family | null
  view: WriteView<TaskView>
  /** The response to a submit, which is not kept: a client queries the task after its next change. */
  text: WriteView<string>
}
