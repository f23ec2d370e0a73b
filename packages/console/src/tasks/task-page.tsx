import { useLocation, useRoute } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import type { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { followTask, isEnded } from '../api/follow-task.ts'
import { useLoad } from '../api/use-load.ts'
import { texts } from '../language/language.ts'
import { modelPath } from '../models/catalogue.ts'
import { ResultActions } from '../models/result/result-actions.tsx'
import { ResultMedia } from '../models/result/result-media.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loading } from '../parts/loading.tsx'
import { InterruptionNotice } from '../parts/interruption-notice.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { notify, notifyError } from '../parts/toasts.tsx'
import { may } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { TaskFacts } from './task-facts.tsx'
import { TaskInputs } from './task-inputs.tsx'
import { TaskTimeline } from './task-timeline.tsx'
import { useTimeline } from './use-timeline.ts'
import { WaitNotice } from './wait-notice.tsx'
import { textOf } from '../parts/text-of.ts'

/** Page of one task: its result, inputs, timeline and cost. */
export function TaskPage() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = params['id'] ?? ''
  const path = `/v2/model-center/tasks/${encodeURIComponent(id)}`
  const { data: task, error, reload, set } = useLoad<Task>(path)
  const timeline = useTimeline(task)
  const [isDeleteOpen, setDeleteOpen] = useState(false)
  const t = texts.value
  const isRunning = task !== null && !isEnded(task)
  const [interruption, setInterruption] = useState<ApiError | null>(null)
  useEffect(() => (isRunning ? followTask(id, set, setInterruption) : undefined), [id, isRunning])

  async function cancel(): Promise<void> {
    set(await call<Task>('POST', `${path}/cancel`))
  }

  async function remove(): Promise<void> {
    await call('DELETE', path)
    notify(t.tasks.deleted)
    route('/console/tasks')
  }

  if (task === null) {
    return <Page title={t.tasks.task}>{error === null ? <Loading /> : <ErrorNotice error={error} onRetry={reload} />}</Page>
  }
  const prompt = textOf(task.parameters?.['prompt'] ?? task.parameters?.['text'])
  return (
    <Page
      title={t.tasks.task}
      lead={
        <>
          <code>{task.id}</code> <CopyButton text={task.id} />
        </>
      }
      actions={
        may('tasks:write') && (
          <>
            {isRunning && (
              <button type="button" class="button" onClick={() => void cancel().catch(notifyError)}>
                {t.actions.cancel}
              </button>
            )}
            <a class="button" href={modelPath(task.model, `?from=${task.id}`)}>
              {t.actions.runAgain}
            </a>
            {!isRunning && (
              <button type="button" class="button" onClick={() => setDeleteOpen(true)}>
                {t.actions.delete}
              </button>
            )}
          </>
        )
      }
    >
      <div class="task-detail">
        <section class="result" aria-label={t.playground.result}>
          <p class="run-status" role="status">
            <StatusBadge task={task} />
          </p>
          {isRunning && <progress max={100} value={task.progress} aria-label={t.tasks.progress} />}
          {isRunning && <InterruptionNotice error={interruption} />}
          {task.status === 'queued' && <WaitNotice timeline={timeline} />}
          {task.status === 'failed' && <p class="notice problem">{task.error}</p>}
          <ResultMedia task={task} />
          {task.status === 'completed' && <ResultActions task={task} />}
        </section>
        <div class="task-side">
          {prompt !== '' && (
            <p class="task-prompt-full" dir="auto">
              {prompt}
            </p>
          )}
          <TaskFacts task={task} />
          <TaskTimeline timeline={timeline} />
          <TaskInputs task={task} />
          <details class="panel">
            <summary>{t.tasks.raw}</summary>
            <CopyButton text={JSON.stringify(task, null, 2)} />
            <pre class="code-block" tabIndex={0} aria-label={t.tasks.raw}>
              <code>{JSON.stringify(task, null, 2)}</code>
            </pre>
          </details>
        </div>
      </div>
      {isDeleteOpen && (
        <ConfirmDialog
          title={t.actions.delete}
          question={t.tasks.deleteQuestion}
          button={t.actions.delete}
          onConfirm={remove}
          onClose={() => setDeleteOpen(false)}
        />
      )}
    </Page>
  )
}
