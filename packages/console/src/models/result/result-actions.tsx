import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Task, TaskResult } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { Icon } from '../../parts/icon.tsx'
import { notifyError } from '../../parts/toasts.tsx'
import { mediaUrl } from '../../session/brand.ts'
import { may } from '../../session/session.ts'
import { formWithFirstFrame } from './use-as-input.ts'

interface ResultActionsProps {
  task: Task
  /** Runs the same request with a new seed. */
  onVary?: (() => void) | undefined
}

/** Buttons for a result. */
export function ResultActions({ task, onVary }: ResultActionsProps) {
  const { route } = useLocation()
  const t = texts.value.actions
  const { results = [] } = task
  const [first] = results
  const [isBusy, setBusy] = useState(false)

  async function useAsFirstFrame(result: TaskResult): Promise<void> {
    setBusy(true)
    try {
      const path = await formWithFirstFrame(result)
      if (path !== null) route(path)
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div class="result-actions">
      {results.map(({ url, type }, index) => (
        <a key={url} class="button" href={mediaUrl(url)} download={fileName(task, index, type)}>
          <Icon name="download" size={16} />
          {results.length > 1 ? t.downloadOne(index + 1) : t.download}
        </a>
      ))}
      {onVary !== undefined && (
        <button type="button" class="button" onClick={onVary}>
          <Icon name="dice" size={16} />
          {t.vary}
        </button>
      )}
      {first?.type.startsWith('image/') === true && may('tasks:write') && (
        <button type="button" class="button" disabled={isBusy} onClick={() => void useAsFirstFrame(first)}>
          <Icon name="film" size={16} />
          {t.asFirstFrame}
        </button>
      )}
    </div>
  )
}

function fileName({ id }: Task, index: number, type: string): string {
  const extension = type.split('/')[1]?.split(/[;+]/)[0] ?? 'bin'
  return `${id}${index === 0 ? '' : `-${index + 1}`}.${extension === 'plain' ? 'txt' : extension}`
}
