import type { V1Family } from '../catalogue/model.ts'
import type { TaskView, WriteView } from '../tasks/task-view.ts'

/** One of the addresses at which tasks are submitted and polled: the model-center's, or a v1 family's. */
export interface TaskCollection {
  /** With the base path. */
  url: string
  v1Family: V1Family | null
  view: WriteView<TaskView>
  /** What a submit answers, which nobody polls again before the next change: it is not kept. */
  text: WriteView<string>
}
