import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import type { LogEntry } from '@framegate/contract'
import { ApiError } from '../../api/api-error.ts'
import { get } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { queryOf } from '../../api/query.ts'
import { exactTime, texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Page } from '../../shell/page.tsx'

const pollMs = 1_500
const shownLinesMax = 500
const linesPerPoll = 100
const badges: Readonly<Record<string, string>> = { warn: 'badge warn', error: 'badge bad', fatal: 'badge bad' }

/**
 * Page with the latest lines of the log, newest first. New lines appear automatically unless
 * paused.
 */
export function LogPage() {
  const { query, route } = useLocation()
  const t = texts.value
  const task = query['task'] ?? ''
  const [isPaused, setPaused] = useState(false)
  const { lines, error } = useLog(/^task_[0-9a-f]{32}$/.test(task) ? task : null, isPaused)
  return (
    <Page
      title={t.log.title}
      lead={t.log.lead}
      actions={
        <button type="button" class="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? t.log.resume : t.log.pause}
        </button>
      }
    >
      <search class="filters">
        <label class="grow">
          <span class="visually-hidden">{t.log.task}</span>
          <input
            type="search"
            value={task}
            placeholder={t.log.task}
            onInput={({ currentTarget }) => route(`/console/log${queryOf({ task: currentTarget.value.trim() })}`, true)}
          />
        </label>
      </search>
      {error !== null && <ErrorNotice error={error} />}
      {lines.length === 0 ? (
        <p class="empty">{t.log.empty}</p>
      ) : (
        <DataTable
          label={t.log.title}
          rows={lines}
          keyOf={({ no }) => String(no)}
          columns={[
            { label: t.log.time, cell: ({ at }) => <span class="tabular">{exactTime(at)}</span> },
            { label: t.log.level, cell: ({ level }) => <span class={badges[level] ?? 'badge'}>{level}</span> },
            {
              label: t.log.message,
              cell: ({ message, fields }) => (
                <>
                  {message}
                  {Object.keys(fields).length > 0 && <code class="log-fields">{JSON.stringify(fields)}</code>}
                </>
              ),
            },
            {
              label: t.tasks.task,
              cell: (line) => line.task !== null && <a href={`/console/tasks/${line.task}`}>{`${line.task.slice(0, 17)}…`}</a>,
            },
          ]}
        />
      )}
    </Page>
  )
}

function useLog(task: string | null, isPaused: boolean): { lines: readonly LogEntry[]; error: ApiError | null } {
  const [lines, setLines] = useState<readonly LogEntry[]>([])
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    if (isPaused) return undefined
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let newestLineNo = 0
    setLines([])
    async function poll(): Promise<void> {
      try {
        const path = `/admin/v1/log${queryOf({ limit: linesPerPoll, after: newestLineNo, task })}`
        const { items } = await get<ListPage<LogEntry>>(path, controller.signal)
        newestLineNo = items[0]?.no ?? newestLineNo
        if (items.length > 0) setLines((previous) => [...items, ...previous].slice(0, shownLinesMax))
        setError(null)
      } catch (problem) {
        if (controller.signal.aborted) return
        if (problem instanceof ApiError) setError(problem)
      }
      timer = setTimeout(() => void poll(), pollMs)
    }
    void poll()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [task, isPaused])
  return { lines, error }
}
