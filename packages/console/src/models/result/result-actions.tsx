import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Task, TaskResult } from '../../api/types.ts'
import { texts } from '../../language/language.ts'
import { Icon } from '../../parts/icon.tsx'
import { notify, notifyError } from '../../parts/toasts.tsx'
import { mediaUrl } from '../../session/brand.ts'
import { may } from '../../session/session.ts'
import { pathOfFormWithInput, type InputParameter } from './use-as-input.ts'

interface ResultActionsProps {
  task: Task
  /** Runs the same request with a new seed. */
  onVary?: (() => void) | undefined
}

/** Buttons that download results, vary the request, or use the first result as an input. */
export function ResultActions({ task, onVary }: ResultActionsProps) {
  const { route } = useLocation()
  const t = texts.value.actions
  const { results = [] } = task
  const [first] = results
  const [isBusy, setBusy] = useState(false)

  async function useAs(parameter: InputParameter, result: TaskResult): Promise<void> {
    setBusy(true)
    try {
      const path = await pathOfFormWithInput(result, task.model, parameter)
      if (path === null) notify(t.noModelForIt)
      else route(path)
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
      {first !== undefined &&
        may('tasks:write') &&
        inputParametersFor(first).map((parameter) => (
          <button key={parameter} type="button" class="button" disabled={isBusy} onClick={() => void useAs(parameter, first)}>
            <Icon name={parameter === 'first_frame' ? 'film' : 'image'} size={16} />
            {parameter === 'first_frame' ? t.asFirstFrame : t.asReference}
          </button>
        ))}
    </div>
  )
}

function inputParametersFor({ type }: TaskResult): readonly InputParameter[] {
  if (type.startsWith('image/')) return ['first_frame', 'reference_images']
  return type.startsWith('video/') ? ['reference_videos'] : []
}

function fileName({ id }: Task, index: number, type: string): string {
  const extension = type.split('/')[1]?.split(/[;+]/)[0] ?? 'bin'
  return `${id}${index === 0 ? '' : `-${index + 1}`}.${extension === 'plain' ? 'txt' : extension}`
}
