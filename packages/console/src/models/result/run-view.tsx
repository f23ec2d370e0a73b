import { useEffect, useState } from 'preact/hooks'
import type { Task } from '../../api/types.ts'
import { isEnded } from '../../api/follow-task.ts'
import { credits, duration, texts } from '../../language/language.ts'
import { InterruptionNotice } from '../../parts/interruption-notice.tsx'
import { notifyError } from '../../parts/toasts.tsx'
import { useTimeline } from '../../tasks/use-timeline.ts'
import { WaitNotice } from '../../tasks/wait-notice.tsx'
import { may } from '../../session/session.ts'
import type { Run } from '../use-run.ts'
import { ResultActions } from './result-actions.tsx'
import { ResultMedia } from './result-media.tsx'

interface RunViewProps {
  run: Run
  /** Accessible name of the region, if there are several. */
  label?: string
  onVary?: () => void
}

/** Shows the state of the submitted task, and then its result. */
export function RunView({ run, label, onVary }: RunViewProps) {
  const t = texts.value
  const { task, interruption, isSubmitting } = run
  const isRunning = task !== null && !isEnded(task)
  const isFollowed = may('tasks:read')
  const timeline = useTimeline(isFollowed && task?.status === 'queued' ? task : null)
  return (
    <section class="result" aria-label={label ?? t.playground.result} aria-busy={isRunning}>
      <p class="run-status" role="status">
        {statusText(task, isSubmitting)}
      </p>
      {task === null && !isSubmitting && (
        <div class="result-empty">
          <p>{t.playground.nothingYet}</p>
        </div>
      )}
      {isRunning && (
        <div class="result-running">
          {isFollowed ? (
            <progress max={100} value={task.progress === 0 ? undefined : task.progress} aria-label={t.tasks.progress} />
          ) : (
            <p class="muted">{t.playground.notFollowed}</p>
          )}
          <div class="result-running-row">
            {isFollowed ? <Elapsed since={task.created} /> : <code>{task.id}</code>}
            <button type="button" class="button" onClick={() => void run.cancel().catch(notifyError)}>
              {t.actions.cancel}
            </button>
          </div>
        </div>
      )}
      {isRunning && <InterruptionNotice error={interruption} />}
      {task?.status === 'queued' && <WaitNotice timeline={timeline} />}
      {task?.status === 'failed' && <p class="notice problem">{task.error}</p>}
      {task !== null && <ResultMedia task={task} />}
      {task !== null && (
        <footer class="result-facts">
          {isFollowed && <a href={`/console/tasks/${task.id}`}>{t.playground.details}</a>}
          {task.status === 'completed' && <span class="muted">{t.playground.credits(credits(task.amount))}</span>}
          {task.seed !== undefined && (
            <span class="muted">
              {t.parameters.seed} {task.seed}
            </span>
          )}
        </footer>
      )}
      {task?.status === 'completed' && <ResultActions task={task} onVary={onVary} />}
    </section>
  )
}

function statusText(task: Task | null, isSubmitting: boolean): string {
  const t = texts.value.tasks
  if (isSubmitting) return t.submitting
  if (task === null) return ''
  if (task.status === 'processing' && task.progress > 0) return t.processingAt(task.progress)
  if (task.status === 'completed' && task.completed !== undefined) {
    return t.completedIn(duration(Math.max(0, task.completed - task.created)))
  }
  return task.error_code === 'cancelled' ? t.cancelled : t.statuses[task.status]
}

/** Shows the seconds since the task was accepted. */
function Elapsed({ since }: { since: number }) {
  const [nowMs, setNowMs] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span class="muted tabular">{duration(Math.max(0, Math.round(nowMs / 1000 - since)))}</span>
}
