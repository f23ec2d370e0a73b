import { useState } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import { get } from '../api/call.ts'
import { useSendOnce, type SendOnce } from '../api/send-once.ts'
import { credits, texts } from '../language/language.ts'
import { Icon } from '../parts/icon.tsx'
import { notify, notifyError } from '../parts/toasts.tsx'
import { waitForText } from './wait-for-text.ts'

interface ImprovePromptProps {
  prompt: string
  /** Kind of media that the prompt is for. */
  purpose: string
  onChange: (prompt: string) => void
}

const modelId = 'text-prompt-enhance'

/**
 * Button that rewrites the prompt with more detail. The user can edit the new prompt, or restore
 * the previous one.
 */
export function ImprovePrompt({ prompt, purpose, onChange }: ImprovePromptProps) {
  const t = texts.value.playground
  const [previous, setPrevious] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const sendOnce = useSendOnce()

  async function improve(): Promise<void> {
    setBusy(true)
    try {
      const { text, amount } = await requestImprovedPrompt(sendOnce, prompt, purpose)
      setPrevious(prompt)
      onChange(text)
      notify(t.improved(credits(amount)))
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <button type="button" class="button small" disabled={isBusy || prompt.trim() === ''} onClick={() => void improve()}>
        <Icon name="spark" size={15} />
        {isBusy ? t.improving : t.improve}
      </button>
      {previous !== null && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => {
            onChange(previous)
            setPrevious(null)
            notify(t.restored)
          }}
        >
          {t.restore}
        </button>
      )}
    </>
  )
}

async function requestImprovedPrompt(
  sendOnce: SendOnce,
  prompt: string,
  purpose: string,
): Promise<{ text: string; amount: number }> {
  const submitted = await sendOnce<Task>('/v2/model-center/tasks', { model: modelId, prompt, for: purpose })
  const task = await waitForText(submitted, get<Task>)
  if (task.text === undefined) throw new Error(task.error ?? texts.value.playground.notImproved)
  return { text: task.text, amount: task.amount }
}
